//! Cargo can't see that a macro embeds a folder: this makes the server older than its pages when those
//! change.

fn main() {
    println!("cargo::rerun-if-changed=../target/site");
    println!("cargo::rerun-if-changed=../migrations");
}
