//! A contact sheet: small pictures of many moments in one JPEG, with the time under each.
//!
//! It is composed in the server's own process, of samples that the worker has decoded: nothing is parsed here.

mod grid;
mod label;

use fast_image_resize::Resizer;

use super::image::{RgbImage, encode_jpegs};
use super::pipeline::Thumbnail;
use grid::Grid;

/// Maximum length of its longer side, in pixels: models scale larger pictures down.
const SIDE: u32 = 1568;

/// Maximum size of a contact sheet in bytes.
pub const MAX_CONTACT_SHEET_BYTES: u32 = 150_000;

/// Between pictures, and under those that are smaller than their place.
const BACKGROUND: u8 = 24;

/// Many moments of a video in one picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactSheet {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Number of moments that it shows, by row and in each from the left.
    pub moments: u32,
    /// The picture as JPEG.
    pub jpeg: Vec<u8>,
}

/// Composes a sheet of these thumbnails.
/// `None`: there are fewer than two, or it can't be made small enough.
pub(super) fn compose(thumbnails: &[Thumbnail]) -> Option<ContactSheet> {
    if thumbnails.len() < 2 {
        return None;
    }
    let images = thumbnails.iter().map(|it| &it.image);
    let width = images.clone().map(|it| it.width).max()?;
    let height = images.map(|it| it.height).max()?;
    let count = u32::try_from(thumbnails.len()).ok()?;
    let grid = Grid::new(count, width, height, SIDE)?;
    let mut resizer = Resizer::new();
    let mut sheet = Canvas::new(grid.width(), grid.height());
    for (index, thumbnail) in (0..).zip(thumbnails) {
        let (x, y) = grid.position(index);
        // All by the same factor, so that a picture that lies on its side is no larger than the others.
        let image = thumbnail.image.clone();
        let side = grid.scaled(image.width.max(image.height));
        let image = image.fit(side, &mut resizer)?;
        let centred = |room: u32, side: u32| room.saturating_sub(side) / 2;
        let left = x + centred(grid.cell_width, image.width);
        sheet.draw(&image, left, y + centred(grid.cell_height, image.height));
        let label = label::draw(thumbnail.at, BACKGROUND);
        let left = x + centred(grid.cell_width, label.width);
        sheet.draw(&label, left, y + grid.cell_height + label::MARGIN);
    }
    let Canvas(image) = sheet;
    let (width, height) = (image.width, image.height);
    let jpeg = encode_jpegs(&[image], MAX_CONTACT_SHEET_BYTES, &mut resizer)?.pop()?;
    Some(ContactSheet {
        width,
        height,
        moments: count,
        jpeg,
    })
}

/// An image to draw others into.
struct Canvas(RgbImage);

impl Canvas {
    fn new(width: u32, height: u32) -> Self {
        Self(RgbImage {
            width,
            height,
            rgb: vec![BACKGROUND; width as usize * height as usize * 3],
        })
    }

    /// Copies an image to this place. What lies outside is left out.
    fn draw(&mut self, image: &RgbImage, left: u32, top: u32) {
        let Self(RgbImage { width, rgb, .. }) = self;
        let room = width.saturating_sub(left).min(image.width) as usize * 3;
        let row = *width as usize * 3;
        let rows = rgb.chunks_exact_mut(row.max(1)).skip(top as usize);
        let parts = image.rgb.chunks_exact((image.width as usize * 3).max(1));
        for (to, from) in rows.zip(parts) {
            let start = left as usize * 3;
            if let Some(to) = to.get_mut(start..start + room) {
                to.copy_from_slice(&from[..room]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::image::jpeg_header;

    fn thumbnails(count: u64, width: u32, height: u32) -> Vec<Thumbnail> {
        let shades = (0..count).map(|index| Thumbnail {
            at: Duration::from_millis(index * 1250),
            image: RgbImage {
                width,
                height,
                rgb: vec![u8::try_from(index * 5).expect("few"); (width * height * 3) as usize],
            },
        });
        shades.collect()
    }

    #[test]
    fn a_contact_sheet_stays_within_its_bounds_for_any_aspect_ratio() {
        for (count, width, height) in [
            (2, 256, 144),
            (48, 256, 144),
            (48, 144, 256),
            (7, 256, 3),
            (5, 1, 1),
        ] {
            let sheet = compose(&thumbnails(count, width, height)).expect("a sheet");
            assert_eq!(
                jpeg_header::size(&sheet.jpeg),
                Some((sheet.width, sheet.height))
            );
            assert!(
                sheet.width.max(sheet.height) <= SIDE,
                "{}×{}",
                sheet.width,
                sheet.height
            );
            assert!(sheet.jpeg.len() <= MAX_CONTACT_SHEET_BYTES as usize);
            assert_eq!(u64::from(sheet.moments), count);
        }
        assert_eq!(compose(&thumbnails(1, 9, 9)), None);
    }

    /// Compared as JPEGs: the same pixels are encoded alike.
    #[test]
    fn under_each_picture_is_its_own_time() {
        const TIMES: [u64; 8] = [0, 1250, 7590, 59_999, 61_000, 600_000, 3_599_900, 3_600_000];
        const PICTURE: (u32, u32) = (256, 144);
        let colours = (0..TIMES.len()).map(|index| {
            let red = u8::try_from(index * 30).expect("few");
            RgbImage {
                width: PICTURE.0,
                height: PICTURE.1,
                rgb: [red, 255 - red, 90].repeat((PICTURE.0 * PICTURE.1) as usize),
            }
        });
        let times = TIMES.map(Duration::from_millis).into_iter();
        let thumbnails = times.zip(colours);
        let thumbnails = thumbnails.map(|(at, image)| Thumbnail { at, image });
        let thumbnails: Vec<Thumbnail> = thumbnails.collect();
        let sheet = compose(&thumbnails).expect("a sheet");
        assert_eq!((sheet.width, sheet.height), (4 * 260, 2 * 170));

        // Two rows of four, which no picture has to be scaled for.
        let sheet_with = |times: [u64; 8]| {
            let mut canvas = Canvas::new(sheet.width, sheet.height);
            for ((index, at), Thumbnail { image, .. }) in (0..).zip(times).zip(&thumbnails) {
                let (left, top) = (index % 4 * 260 + 2, index / 4 * 170 + 2);
                canvas.draw(image, left, top);
                let time = label::draw(Duration::from_millis(at), BACKGROUND);
                let left = left + (PICTURE.0 - time.width) / 2;
                canvas.draw(&time, left, top + PICTURE.1 + label::MARGIN);
            }
            let resizer = &mut Resizer::new();
            let jpegs = encode_jpegs(&[canvas.0], MAX_CONTACT_SHEET_BYTES, resizer);
            jpegs.expect("a JPEG").concat()
        };
        assert!(sheet_with(TIMES) == sheet.jpeg, "it shows something else");
        for index in 1..TIMES.len() {
            let mut other = TIMES;
            other.swap(index - 1, index);
            assert!(sheet_with(other) != sheet.jpeg, "{index}");
        }
    }

    #[test]
    fn pixels_outside_the_canvas_are_clipped() {
        let mut canvas = Canvas::new(3, 2);
        let [_, second] = &thumbnails(2, 2, 2)[..] else {
            unreachable!()
        };
        canvas.draw(&second.image, 2, 1);
        let shades: Vec<u8> = canvas.0.rgb.iter().step_by(3).copied().collect();
        assert_eq!(
            shades,
            [
                BACKGROUND, BACKGROUND, BACKGROUND, BACKGROUND, BACKGROUND, 5
            ]
        );
        canvas.draw(&second.image, 9, 9);
    }
}
