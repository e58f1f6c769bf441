//! Camera, screen and microphone: asking for them, and choosing among them.

use leptos::task::spawn_local;

use super::bindings::{Element, Flag};
use super::controller::Recorder;
use super::state::{Event, Obstacle, Phase};
use crate::browser::{
    self, Camera, CaptureOptions, Denial, Device, Devices, HtmlElement, element, get_local,
    set_local,
};

/// Where the last choice is remembered on this device.
const CHOICE: &str = "vidence.choice";

/// Less than this is soon full.
const LITTLE_ROOM: f64 = 300e6;

impl Recorder {
    /// What this device can do, and so what is offered.
    pub(super) fn know_the_device(self) {
        let (camera, screen) = browser::can_capture();
        self.flag(Flag::HasCamera, camera);
        self.flag(Flag::HasScreen, screen);
        self.flag(Flag::IsHandheld, browser::is_handheld());
        let (is_screen, sound) = {
            let wish = self.wish.borrow();
            (wish.screen && screen, wish.sound)
        };
        self.flag(Flag::IsScreen, is_screen);
        self.show_sound(sound);
    }

    /// In all places where it can be switched.
    fn show_sound(self, on: bool) {
        self.page
            .parts(Element::Sound)
            .for_each(|it| element::check(it, on));
    }

    /// Hears the fields in which something is chosen.
    pub(super) fn hear_fields(self) {
        let hear = |part: Element, act: fn(Self, &HtmlElement)| {
            for field in self.page.parts(part) {
                let chosen = field.clone();
                element::on_change(field, move || act(self, &chosen));
            }
        };
        Devices::on_change(move || {
            if self.phase() == Phase::Preview {
                spawn_local(async move { self.offer(&Devices::list().await) });
            }
        });
        hear(Element::Cameras, |it, field| {
            it.choose(|wish| wish.camera = element::value(field));
            it.replace_picture();
        });
        hear(Element::Microphones, |it, field| {
            it.choose(|wish| wish.microphone = element::value(field));
            it.replace_sound();
        });
        hear(Element::Sound, |it, field| {
            it.choose(|wish| wish.sound = element::is_checked(field));
            it.show_sound(element::is_checked(field));
            it.replace_sound();
        });
        hear(Element::File, |it, field| it.take_file(field));
        for video in self.page.videos(Element::Review) {
            let review = video.clone();
            element::listen(video, "loadedmetadata", move |_| {
                browser::learn_duration(&review);
            });
            element::listen(video, "error", move |_| {
                self.flag(Flag::NoPlayer, self.has(Flag::IsFile));
            });
            let review = video.clone();
            element::listen(video, "durationchange", move |_| {
                browser::rewind(&review);
                self.learn_length(review.duration());
            });
        }
    }

    /// Changes what is wished for, and remembers it.
    fn choose(self, change: impl FnOnce(&mut CaptureOptions)) {
        change(&mut self.wish.borrow_mut());
        let wish = self.wish.borrow();
        set_local(CHOICE, &write(&wish));
    }

    /// Camera or screen, whichever is said.
    pub(super) fn ask_for(self, screen: bool) {
        self.choose(|wish| wish.screen = screen);
        self.ask();
    }

    /// Camera or screen, as chosen last.
    pub(super) fn ask(self) {
        if !self.dispatch(Event::Ask) {
            return;
        }
        self.switch_off();
        self.lower(&[Flag::Copied, Flag::Interrupted, Flag::Resumed]);
        let wish = self.wish.borrow().clone();
        self.flag(Flag::IsScreen, wish.screen);
        if !browser::can_record() {
            // Before anybody is asked for a camera that would be of no use.
            self.dispatch(Event::Failed(Obstacle::Unsupported));
            return;
        }
        let question = self.question.get() + 1;
        self.question.set(question);
        spawn_local(async move {
            let opened = Camera::open(&wish).await;
            // The person may have thought better of it meanwhile: then it goes off again.
            if self.phase() != Phase::Asking || self.question.get() != question {
                return;
            }
            match opened {
                Ok(camera) => {
                    self.camera.replace(Some(camera));
                    self.show_preview();
                    self.dispatch(Event::Ready);
                }
                Err(denial) => {
                    self.dispatch(Event::Failed(obstacle(denial, wish.screen)));
                }
            }
        });
    }

    /// Switches off what nothing was recorded with.
    pub(super) fn close(self) {
        if self.dispatch(Event::Close) {
            self.switch_off();
        }
    }

    /// To the camera on the other side.
    pub(super) fn flip(self) {
        self.choose(|wish| {
            wish.front = !wish.front;
            wish.camera.clear();
        });
        self.replace_picture();
    }

    fn replace_picture(self) {
        self.replace(true);
    }

    fn replace_sound(self) {
        self.replace(false);
    }

    /// Changes what is on, picture or sound, before anything is recorded.
    fn replace(self, picture: bool) {
        if self.phase() != Phase::Preview || self.replacing.get() {
            return;
        }
        let Some(camera) = self.camera.borrow().clone() else {
            return;
        };
        let wish = self.wish.borrow().clone();
        self.replacing.set(true);
        self.hide_preview();
        spawn_local(async move {
            let replaced = if picture {
                camera.replace_picture(&wish).await
            } else {
                camera.replace_sound(&wish).await
            };
            self.replacing.set(false);
            if self.phase() != Phase::Preview {
                camera.switch_off();
                return;
            }
            match replaced {
                Ok(()) => self.show_preview(),
                // The picture is worth more than its sound.
                Err(_) if !picture => {
                    self.show_sound(false);
                    self.show_preview();
                }
                Err(denial) => {
                    self.switch_off();
                    self.dispatch(Event::Failed(obstacle(denial, false)));
                }
            }
        });
    }

    /// Shows what is on, and looks after it.
    fn show_preview(self) {
        {
            let camera = self.camera.borrow();
            let Some(camera) = camera.as_ref() else {
                return;
            };
            if let Some(video) = self.page.video(Element::Live) {
                camera.show_in(&video);
                element::class(&video, "stage__video--mirrored", camera.faces_person());
            }
            self.flag(Flag::IsSilent, camera.is_silent());
        }
        self.look_and_listen();
        spawn_local(async move {
            let room = browser::indexed_db::room().await;
            self.flag(
                Flag::LittleRoom,
                room.is_some_and(|room| room < LITTLE_ROOM),
            );
            self.offer(&Devices::list().await);
        });
    }

    /// Only now does the browser tell what the devices are called.
    fn offer(self, devices: &Devices) {
        let chosen = self.camera.borrow().as_ref().map(Camera::chosen);
        let (camera, microphone) = chosen.unwrap_or_default();
        let several = |devices: &[Device]| devices.len() > 1;
        let handheld = self.has(Flag::IsHandheld);
        let screen = self.has(Flag::IsScreen);
        self.flag(
            Flag::HasTwoSides,
            handheld && !screen && several(&devices.cameras),
        );
        let cameras = !handheld && !screen && several(&devices.cameras);
        self.flag(Flag::HasDevices, cameras || several(&devices.microphones));
        for (part, devices, chosen, offered) in [
            (Element::Cameras, &devices.cameras, camera, cameras),
            (
                Element::Microphones,
                &devices.microphones,
                microphone,
                several(&devices.microphones),
            ),
        ] {
            for field in self.page.parts(part) {
                element::offer(
                    field,
                    devices.iter().map(|it| (&*it.id, &*it.label)),
                    &chosen,
                );
                // A field stands in its label.
                element::show_around(field, offered);
            }
        }
    }
}

/// What was wished for last time; the first time the rear camera, because what is asked for is mostly in
/// front of the person.
pub fn remembered() -> CaptureOptions {
    get_local(CHOICE)
        .as_deref()
        .and_then(read)
        .unwrap_or(CaptureOptions {
            screen: false,
            front: false,
            sound: true,
            camera: String::new(),
            microphone: String::new(),
        })
}

/// One line each: what, camera, microphone.
fn write(wish: &CaptureOptions) -> String {
    let letter = |yes, letter| if yes { letter } else { '-' };
    let (screen, front, sound) = (
        letter(wish.screen, 's'),
        letter(wish.front, 'f'),
        letter(wish.sound, 'a'),
    );
    format!(
        "{screen}{front}{sound}\n{}\n{}",
        wish.camera, wish.microphone
    )
}

fn read(text: &str) -> Option<CaptureOptions> {
    let mut lines = text.split('\n');
    let mut letters = lines.next()?.chars();
    Some(CaptureOptions {
        screen: letters.next()? == 's',
        front: letters.next()? == 'f',
        sound: letters.next()? == 'a',
        camera: lines.next()?.to_owned(),
        microphone: lines.next()?.to_owned(),
    })
}

fn obstacle(denial: Denial, screen: bool) -> Obstacle {
    match denial {
        // People cancel the choice of a screen; nothing is blocked by that.
        Denial::NotAllowed | Denial::NotFound | Denial::NotReadable if screen => Obstacle::NoScreen,
        Denial::NotAllowed => Obstacle::Denied,
        Denial::NotFound => Obstacle::NoCamera,
        Denial::NotReadable => Obstacle::Busy,
        Denial::Insecure => Obstacle::Insecure,
        Denial::Missing => Obstacle::Unsupported,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_remembered_as_it_was_made() {
        for screen in [true, false] {
            let wish = CaptureOptions {
                screen,
                front: !screen,
                sound: screen,
                camera: "a1b2".to_owned(),
                microphone: String::new(),
            };
            assert_eq!(read(&write(&wish)), Some(wish));
        }
        assert_eq!(read("from another time"), None);
    }

    #[test]
    fn a_cancelled_choice_of_a_screen_blocks_no_camera() {
        for (denial, of_the_camera, of_a_screen) in [
            (Denial::NotAllowed, Obstacle::Denied, Obstacle::NoScreen),
            (Denial::NotFound, Obstacle::NoCamera, Obstacle::NoScreen),
            (Denial::NotReadable, Obstacle::Busy, Obstacle::NoScreen),
            (Denial::Insecure, Obstacle::Insecure, Obstacle::Insecure),
            (
                Denial::Missing,
                Obstacle::Unsupported,
                Obstacle::Unsupported,
            ),
        ] {
            assert_eq!(obstacle(denial, false), of_the_camera);
            assert_eq!(obstacle(denial, true), of_a_screen);
        }
    }
}
