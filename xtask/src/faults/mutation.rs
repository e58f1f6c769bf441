//! Plausible mistakes in the server, of which each must fail a test.

use anyhow::{Result, ensure};

/// A plausible mistake in the server, as a change of its source.
pub struct Mutation {
    pub what: &'static str,
    pub file: &'static str,
    /// Texts that occur exactly once in the file, and their replacements.
    pub changes: &'static [(&'static str, &'static str)],
    /// The sync that it takes out.
    pub sync: Option<RequiredBy>,
}

/// Why a sync is needed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RequiredBy {
    /// Without it a power cut loses something on the file systems that are tested.
    Cuts,
    /// POSIX leaves it open whether the name of a synced file stays, or goes.
    /// The file systems that are tested do as they should.
    Posix,
}

pub const MUTATIONS: &[Mutation] = &[
    Mutation {
        what: "objects are not synced",
        file: "crates/store/src/blobs/local/write.rs",
        changes: &[("file.sync_all().map_err(BlobError::from_write)?;", "")],
        sync: Some(RequiredBy::Cuts),
    },
    Mutation {
        what: "the folder of an object is not synced",
        file: "crates/store/src/blobs/local/write.rs",
        changes: &[("sync(take).map_err(BlobError::from_write)", "Ok(())")],
        sync: Some(RequiredBy::Posix),
    },
    Mutation {
        what: "the folders of a take are not synced",
        file: "crates/store/src/blobs/local/mod.rs",
        changes: &[(
            "fs::create_dir_all(take)?;\n        let folders = take.ancestors().skip(1);\n        \
             folders.take(2).try_for_each(sync)\n",
            "fs::create_dir_all(take)\n",
        )],
        sync: Some(RequiredBy::Posix),
    },
    Mutation {
        what: "the folder of a removed take is not synced",
        file: "crates/store/src/blobs/local/mod.rs",
        changes: &[("match sync(&request) {", "match Ok::<(), io::Error>(()) {")],
        sync: Some(RequiredBy::Cuts),
    },
    Mutation {
        // The row that is written after it is synced before the answer. On the same disk these file systems write both.
        what: "the folder of a removed request is not synced",
        file: "crates/store/src/blobs/local/mod.rs",
        changes: &[("sync(&self.root)", "Ok(())")],
        sync: Some(RequiredBy::Posix),
    },
    Mutation {
        // The start that makes the folder syncs its parent by itself.
        what: "the parent of an existing blob folder is not synced",
        file: "crates/store/src/blobs/local/mod.rs",
        changes: &[("sync(parent)?;", "let _ = parent;")],
        sync: Some(RequiredBy::Posix),
    },
    Mutation {
        what: "files of the first start are not synced",
        file: "crates/store/src/disk.rs",
        changes: &[("writer.sync_all()?;", "")],
        sync: Some(RequiredBy::Cuts),
    },
    Mutation {
        what: "the folder of files of the first start is not synced",
        file: "crates/store/src/disk.rs",
        changes: &[(
            "File::open(file.parent().unwrap_or(Path::new(\".\")))?.sync_all()",
            "Ok(())",
        )],
        sync: Some(RequiredBy::Posix),
    },
    Mutation {
        what: "the parents of a new data folder are not synced",
        file: "crates/store/src/blobs/data_dir.rs",
        changes: &[("File::open(parent)?.sync_all()?;", "let _ = parent;")],
        sync: Some(RequiredBy::Posix),
    },
    Mutation {
        what: "rows are not synced",
        file: "crates/store/src/db/sqlite/mod.rs",
        changes: &[("PRAGMA synchronous = FULL;", "PRAGMA synchronous = OFF;")],
        sync: Some(RequiredBy::Cuts),
    },
    Mutation {
        what: "any writer may commit, wherever the take stands",
        file: "crates/store/src/db/takes/commit/mod.rs",
        changes: &[
            (
                ".filter(takes::epoch.eq(take.epoch))\n                .filter(takes::state",
                ".filter(takes::state",
            ),
            (".filter(takes::committed.eq(Unsigned::from(from)))\n", "\n"),
        ],
        sync: None,
    },
    Mutation {
        what: "the bytes of a deleted request stay until it would have expired",
        file: "server/src/service/requests/lifecycle.rs",
        changes: &[(
            "let removed = removal::remove_request(&store, id).await;",
            "let removed = if true { Ok(()) } else { removal::remove_request(&store, id).await };",
        )],
        sync: None,
    },
    Mutation {
        what: "bytes are acknowledged before their rows are written",
        file: "server/src/service/uploads/writer/commit.rs",
        changes: &[(
            "match db.take_commit(&self.claim, addition, &self.app.clock).await {",
            "let (db, claim, clock) = (db.clone(), self.claim.clone(), self.app.clock.clone());
             tokio::spawn(async move { db.take_commit(&claim, addition, &clock).await });
             match Ok::<bool, crate::db::DbError>(true) {",
        )],
        sync: None,
    },
];

impl Mutation {
    /// The file's text with the mutation.
    pub fn apply(&self, mut text: String) -> Result<String> {
        for (from, to) in self.changes {
            let found = text.matches(from).count();
            let (file, what) = (self.file, self.what);
            ensure!(
                found == 1,
                "{file} contains what \"{what}\" changes {found} times: {from}"
            );
            text = text.replace(from, to);
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::shell::root;

    #[test]
    fn every_mutation_applies_to_the_source() {
        for mutation in MUTATIONS {
            let text = fs::read_to_string(root().join(mutation.file));
            let text = text.unwrap_or_else(|error| panic!("{}: {error}", mutation.file));
            mutation.apply(text).expect("a mutation that applies");
        }
    }
}
