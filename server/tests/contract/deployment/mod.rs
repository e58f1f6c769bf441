//! The files of `server/deploy`, as the programs that read them see them.

mod alerts;
mod caddy;
mod container_image;
mod files;
mod kubernetes;
mod metrics;
mod proxied;
mod replacement;
