//! The tables, as `migrations/` creates them.
//!
//! `Text`, `BigInt`, `Bool` and `Binary` only: these four types mean the same on SQLite and on PostgreSQL. A column with a
//! `sql_name` has kept its first name, because the release before reads it: `migrations/README.md`.

pub(super) mod client_addr;
mod ids;
pub(super) mod migrations;
pub(super) mod states;
pub(super) mod unsigned;

diesel::table! {
    requests (id) {
        id -> Text,
        token_hash -> Binary,
        prompt -> Nullable<Binary>,
        state -> Text,
        created_at -> BigInt,
        expires_at -> BigInt,
        video_id -> Nullable<Text>,
        take_id -> Nullable<Text>,
        #[sql_name = "bytes_gone"]
        purged -> Bool,
        creator -> Nullable<Text>,
        taken_down_at -> Nullable<BigInt>,
        submitted_at -> Nullable<BigInt>,
        ticks -> Nullable<Binary>,
    }
}

diesel::table! {
    quotas (creator) {
        creator -> Text,
        paid_at -> BigInt,
    }
}

diesel::table! {
    takes (id) {
        id -> Text,
        request_id -> Text,
        state -> Text,
        committed -> BigInt,
        epoch -> BigInt,
        created_at -> BigInt,
        container -> Nullable<Text>,
        length -> Nullable<BigInt>,
        poisoned -> Bool,
        touched_at -> BigInt,
        pieces -> BigInt,
        creator -> Nullable<Text>,
        grown_at -> BigInt,
        captured_as -> Nullable<Text>,
        first_byte_at -> Nullable<BigInt>,
        last_byte_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    chunks (take_id, start) {
        take_id -> Text,
        start -> BigInt,
        length -> BigInt,
        object -> Text,
        committed_at -> Nullable<BigInt>,
        checksums -> Nullable<Binary>,
    }
}

diesel::table! {
    sealings (take_id) {
        take_id -> Text,
        state -> Text,
        leased_until -> BigInt,
        epoch -> BigInt,
        tries -> BigInt,
        moments -> Nullable<Binary>,
        refusal -> Nullable<Text>,
        no_stills -> Nullable<Text>,
        due_at -> BigInt,
        arrivals -> Nullable<Binary>,
    }
}

diesel::table! {
    seals (take_id) {
        take_id -> Text,
        sealed_at -> BigInt,
        version -> BigInt,
        index_object -> Nullable<Text>,
        index_length -> BigInt,
        recording_length -> BigInt,
        recording_sha256 -> Binary,
        served_sha256 -> Binary,
        duration_ms -> BigInt,
        width -> BigInt,
        height -> BigInt,
        #[sql_name = "sound"]
        has_audio -> Bool,
        #[sql_name = "located"]
        has_location -> Bool,
        #[sql_name = "damaged"]
        truncated -> Bool,
        missing_ms -> Nullable<BigInt>,
        live -> Nullable<Bool>,
    }
}

// Another view of `seals`, because a table of more than 16 columns would make diesel much slower to compile.
diesel::table! {
    #[sql_name = "seals"]
    seal_checksums (take_id) {
        take_id -> Text,
        index_checksums -> Nullable<Binary>,
    }
}

diesel::table! {
    codings (take_id) {
        take_id -> Text,
        codec -> Nullable<Text>,
        hdr -> Bool,
    }
}

diesel::table! {
    damaged_takes (take_id) {
        take_id -> Text,
        found_at -> BigInt,
    }
}

diesel::table! {
    stills (take_id, at_ms) {
        take_id -> Text,
        at_ms -> BigInt,
        width -> BigInt,
        height -> BigInt,
        length -> BigInt,
        object -> Text,
    }
}

diesel::table! {
    contact_sheets (take_id) {
        take_id -> Text,
        width -> BigInt,
        height -> BigInt,
        moments -> BigInt,
        length -> BigInt,
        object -> Text,
    }
}

diesel::table! {
    transcripts (take_id) {
        take_id -> Text,
        state -> Text,
        leased_until -> BigInt,
        epoch -> BigInt,
        tries -> BigInt,
        due_at -> BigInt,
        content -> Nullable<Binary>,
        reason -> Nullable<Text>,
    }
}

diesel::table! {
    reports (id) {
        id -> Text,
        request_id -> Text,
        reason -> Text,
        text -> Nullable<Binary>,
        prompt -> Nullable<Binary>,
        creator -> Nullable<Text>,
        reported_at -> BigInt,
        done_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    clock (id) {
        id -> BigInt,
        confirmed_at -> BigInt,
        waited_ms -> BigInt,
    }
}

diesel::table! {
    blob_folder (id) {
        id -> BigInt,
        folder_id -> Text,
    }
}

// On PostgreSQL alone.
diesel::table! {
    receipt_keys (id) {
        id -> BigInt,
        seed -> Binary,
    }
}

diesel::joinable!(reports -> requests (request_id));
diesel::joinable!(takes -> requests (request_id));
diesel::joinable!(chunks -> takes (take_id));
diesel::joinable!(sealings -> takes (take_id));
diesel::joinable!(seals -> sealings (take_id));
diesel::joinable!(stills -> sealings (take_id));
diesel::joinable!(contact_sheets -> sealings (take_id));
diesel::joinable!(transcripts -> takes (take_id));
diesel::joinable!(damaged_takes -> takes (take_id));
diesel::allow_tables_to_appear_in_same_query!(reports, requests);
diesel::allow_tables_to_appear_in_same_query!(transcripts, takes);
diesel::allow_tables_to_appear_in_same_query!(
    requests,
    takes,
    chunks,
    sealings,
    seals,
    stills,
    damaged_takes
);
