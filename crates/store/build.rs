//! Makes the tables' migrations part of what is compiled, which a macro embeds.

fn main() {
    println!("cargo::rerun-if-changed=../../migrations");
}
