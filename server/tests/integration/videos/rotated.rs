//! Recordings of a phone that was held upright or upside down: their pixels lie on their side, and the file says so.

use std::io::Cursor;

use reqwest::{Method, StatusCode};
use zune_jpeg::JpegDecoder;

use super::metadata::metadata_with_stills;
use crate::support::{Creator, LIVE_MP4, Server, on_each_storage, sibling_path};

on_each_storage! {
    pictures_of_a_rotated_recording_are_upright
}

/// The part of a matrix that rotates clockwise by no, one, two or three quarters: ISO/IEC 14496-12, section 8.3.2.
const TURNS: [[i32; 4]; 4] = [[1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0]];

/// The side of the blocks whose brightness is compared, in pixels.
const BLOCK: usize = 16;

/// By how much the brightness of a block may differ in two pictures of the same, which JPEG compresses in different rows.
const NOISE: u64 = 6;

/// The recording, with another matrix in the header of each of its tracks.
fn rotated(recording: &[u8], [a, b, c, d]: [i32; 4]) -> Vec<u8> {
    /// From the name of the box to the matrix, in version 1: times and ids, and what is reserved.
    const MATRIX: usize = 4 + 4 + 32 + 16;
    let mut recording = recording.to_vec();
    let matrix = [a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30];
    let names = recording.windows(4).enumerate();
    let headers: Vec<usize> = names.filter(|it| it.1 == b"tkhd").map(|it| it.0).collect();
    assert!(!headers.is_empty());
    for at in headers {
        assert_eq!(recording[at + 4], 1, "a version");
        let fields = matrix.map(i32::to_be_bytes);
        let place = at + MATRIX..at + MATRIX + 36;
        recording[place].copy_from_slice(fields.as_flattened());
    }
    recording
}

/// The longer side of a picture on a contact sheet, in pixels.
const CELL_SIDE: usize = 256;

/// Between two of them, in pixels.
const GAP: usize = 4;

/// What a time takes under each of them, in pixels.
const LABEL: usize = 22;

/// Samples in rows of pixels.
struct Picture {
    width: usize,
    height: usize,
    rgb: Vec<u8>,
}

impl Picture {
    async fn get(creator: &Creator<'_>, path: &str) -> Self {
        let answer = creator.send_authorized(Method::GET, path).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        let jpeg = answer.bytes().await.expect("bytes");
        let mut decoder = JpegDecoder::new(Cursor::new(&jpeg));
        let rgb = decoder.decode().expect("a JPEG");
        let (width, height) = decoder.dimensions().expect("a size");
        Self { width, height, rgb }
    }

    fn pixel(&self, x: usize, y: usize) -> &[u8] {
        let at = 3 * (y * self.width + x);
        &self.rgb[at..at + 3]
    }

    /// The part whose upper left corner is here.
    fn part(&self, left: usize, top: usize, [width, height]: [usize; 2]) -> Self {
        let rows = (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y)));
        let rgb = rows.flat_map(|(x, y)| self.pixel(x, y).to_vec());
        let rgb = rgb.collect();
        Self { width, height, rgb }
    }

    /// The pictures of a contact sheet, each of this size, in the order of their times.
    fn cells(&self, count: usize, size: [usize; 2]) -> Vec<Self> {
        let (column, row) = (size[0] + GAP, size[1] + GAP + LABEL);
        let columns = self.width / column;
        let sheet = [columns * column, count.div_ceil(columns.max(1)) * row];
        assert_eq!([self.width, self.height], sheet, "{count} of {size:?}");
        let cells = (0..count).map(|index| {
            let (left, top) = (index % columns * column, index / columns * row);
            self.part(left + GAP / 2, top + GAP / 2, size)
        });
        cells.collect()
    }

    /// By a quarter, clockwise.
    fn turned(&self) -> Self {
        let (width, height) = (self.height, self.width);
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let rgb = pixels.flat_map(|(x, y)| self.pixel(y, self.height - 1 - x).to_vec());
        let rgb = rgb.collect();
        Self { width, height, rgb }
    }

    /// The mean of the samples of each whole block.
    fn brightness(&self) -> Vec<u64> {
        let corners = |side: usize| (0..side - side % BLOCK).step_by(BLOCK);
        let blocks = corners(self.height).flat_map(|y| corners(self.width).map(move |x| (x, y)));
        let mean = |(x, y)| {
            let rows = (y..y + BLOCK).flat_map(|y| (x..x + BLOCK).map(move |x| (x, y)));
            let samples = rows.flat_map(|(x, y)| self.pixel(x, y));
            samples.map(|it| u64::from(*it)).sum::<u64>() / (3 * BLOCK * BLOCK) as u64
        };
        blocks.map(mean).collect()
    }

    /// The largest difference of a block.
    fn difference(&self, other: &Self) -> u64 {
        assert_eq!((self.width, self.height), (other.width, other.height));
        let blocks = self.brightness().into_iter().zip(other.brightness());
        let differences = blocks.map(|(one, two)| one.abs_diff(two));
        differences.max().expect("a block")
    }
}

async fn pictures_of_a_rotated_recording_are_upright(server: Server) {
    let mut wanted: Option<Vec<Picture>> = None;
    for turn in TURNS {
        let creator = server.create_request().await;
        let video = creator.submit_video(&rotated(LIVE_MP4, turn)).await;
        let metadata = metadata_with_stills(&creator, &video).await;
        let at_ms = metadata.stills.pictures[0].at_ms;
        let still = sibling_path(&video, &format!("/stills/{at_ms}"));
        let full = Picture::get(&creator, &format!("{still}?full=true")).await;
        let still = Picture::get(&creator, &still).await;
        let properties = metadata.properties.expect("it was sealed");
        let size = [properties.width, properties.height].map(|it| it as usize);
        assert_eq!([full.width, full.height], size);
        let sheet = Picture::get(&creator, &sibling_path(&video, "/contact-sheet")).await;
        let moments = metadata.contact_sheet.expect("a contact sheet").moments as usize;
        assert!(moments > 1, "{moments}");
        let longest = size[0].max(size[1]);
        let cells = sheet.cells(moments, size.map(|it| it * CELL_SIDE / longest));
        let shown: Vec<Picture> = [still, full].into_iter().chain(cells).collect();
        if let Some(wanted) = &wanted {
            assert_eq!(shown.len(), wanted.len(), "{turn:?}");
            for (index, (shown, wanted)) in shown.iter().zip(wanted).enumerate() {
                let difference = shown.difference(wanted);
                assert!(difference <= NOISE, "{turn:?}, {index}: {difference}");
                let upside_down = wanted.turned().turned();
                assert!(shown.difference(&upside_down) > NOISE, "it is symmetric");
            }
        }
        wanted = Some(shown.iter().map(Picture::turned).collect());
    }
}
