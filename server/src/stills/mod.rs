//! Pictures of a video. Nothing decodes any yet.
#![allow(missing_docs)]
use crate::media::*;
use std::{path::*, time::Duration};
#[derive(Clone, Debug)]
pub struct Decoders;
impl Decoders {
    pub fn find(_p: Option<&Path>) -> Self {
        Self
    }
}
pub struct Still {
    pub at: Duration,
    pub width: u32,
    pub height: u32,
    pub jpeg: Vec<u8>,
}
#[derive(Debug, thiserror::Error)]
#[error("no decoder")]
pub struct NoStills;
pub fn choose(_k: &[Keyframe], _d: Duration) -> Vec<Keyframe> {
    vec![]
}
pub async fn make(
    _d: &Decoders,
    _v: &VideoTrack,
    _f: Vec<(Duration, Vec<u8>)>,
) -> Result<Vec<Still>, NoStills> {
    Err(NoStills)
}
