//! What buttons, gestures and keys do to the tools of the open camera.

use std::time::Duration;

use leptos::task::spawn_local;

use crate::browser;
use crate::browser::capture::{Adjustment, Devices};
use crate::browser::dom::gesture::{self, Gesture};
use crate::browser::dom::{HtmlElement, HtmlVideoElement, element};
use crate::recorder::bindings::{Element, Flag};
use crate::recorder::capture::focus;
use crate::recorder::capture::zoom;
use crate::recorder::controller::Recorder;
use crate::recorder::state::Phase;

/// How long a browser may take for a request. Some never answer where the camera was just taken away.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(3);

impl Recorder {
    /// Listens to the tools, for the lifetime of the page.
    pub(in crate::recorder) fn listen_to_camera_tools(self) {
        for video in self.page.videos(Element::Live) {
            let shown = video.clone();
            gesture::on_gesture(video, move |gesture| self.handle_gesture(gesture, &shown));
        }
        for button in self.page.elements(Element::ZoomPreset) {
            let preset = preset_of(button);
            element::listen(button, "click", move |_| {
                if let Some(range) = self.camera_tools.zoom_range() {
                    self.zoom_to(range.preset_factor(preset));
                }
            });
        }
        for slider in self.page.elements(Element::ZoomSlider) {
            let moved = slider.clone();
            element::listen(slider, "input", move |_| {
                self.zoom_to(element::range_value(&moved) / 10.0);
            });
        }
        for ring in self.page.elements(Element::FocusRing) {
            let faded = ring.clone();
            element::listen(ring, "animationend", move |_| {
                element::set_visible(&faded, false);
            });
        }
    }

    /// Begins with the camera that was just opened, or with none.
    pub(in crate::recorder::capture) fn reset_camera_tools(self) {
        let tools = &self.camera_tools;
        tools.camera.set(tools.camera.get() + 1);
        tools.requests.take();
        tools.abilities.take();
        tools.wanted.take();
        tools.shown.take();
        self.show_camera_tools();
        self.refresh_camera_tools();
    }

    /// Switches the light off before the camera is closed or replaced: on some phones it would stay on.
    pub(in crate::recorder::capture) fn switch_torch_off(self) {
        let is_on = self.camera_tools.shown.get().torch == Some(true);
        let stream = self.source.stream.borrow();
        if let Some(stream) = stream.as_ref().filter(|_| is_on) {
            stream.adjust_unawaited(Adjustment {
                torch: Some(false),
                ..Adjustment::default()
            });
        }
    }

    /// Shows what the camera can do, and its settings.
    /// Some browsers know of the abilities only a moment after they have opened the camera, and the system may switch
    /// the light off at any time.
    pub(in crate::recorder::capture) fn refresh_camera_tools(self) {
        let tools = &self.camera_tools;
        let is_replacing = matches!(self.phase(), Phase::Preview { is_replacing: true });
        if !tools.requests.get().is_idle() || is_replacing {
            return;
        }
        let (abilities, actual) = match self.source.stream.borrow().as_ref() {
            Some(stream) => (stream.abilities(), stream.adjustment()),
            None => Default::default(),
        };
        let wanted = tools.wanted.get();
        let shown = Adjustment {
            torch: actual.torch.or(wanted.torch),
            zoom: actual.zoom.or(wanted.zoom),
            focus: None,
        };
        // What the camera has refused, or the system has changed, isn't asked for again with the next request.
        tools.wanted.set(Adjustment {
            torch: wanted.torch.and(shown.torch),
            zoom: wanted.zoom.and(shown.zoom),
            focus: wanted.focus,
        });
        let zoomed_over_lenses = tools.zooms_over_lenses();
        let before = (
            tools.abilities.replace(abilities),
            tools.shown.replace(shown),
        );
        if before != (abilities, shown) {
            self.show_camera_tools();
        }
        if tools.zooms_over_lenses() != zoomed_over_lenses {
            // It decides whether there are lenses to choose from.
            spawn_local(async move { self.show_devices(&Devices::list().await) });
        }
    }

    /// Switches the light on or off.
    pub(in crate::recorder) fn switch_torch(self) {
        let is_on = self.camera_tools.shown.get().torch == Some(true);
        self.adjust_camera(|wanted| wanted.torch = Some(!is_on));
    }

    fn zoom_to(self, factor: f64) {
        if let Some(range) = self.camera_tools.zoom_range() {
            let value = range.value(range.clamp(factor));
            self.adjust_camera(|wanted| wanted.zoom = Some(value));
        }
    }

    /// Whether the gesture has a meaning.
    fn handle_gesture(self, gesture: Gesture, video: &HtmlVideoElement) -> bool {
        let tools = &self.camera_tools;
        let range = tools.zoom_range();
        match (gesture, range) {
            (Gesture::PinchStart, Some(range)) => tools.pinched_from.set(tools.factor(range)),
            (Gesture::Pinch(ratio), Some(_)) => self.zoom_to(tools.pinched_from.get() * ratio),
            (
                Gesture::Tap {
                    is_second: true, ..
                },
                Some(range),
            ) => {
                self.zoom_to(range.toggled(tools.factor(range)));
            }
            (Gesture::Tap { x, y, .. }, _) => self.focus_at((x, y), video),
            _ => return false,
        }
        true
    }

    fn focus_at(self, at: (f64, f64), video: &HtmlVideoElement) {
        let mode = self.camera_tools.abilities.get().focus_mode;
        // Webcams take the constraint and do nothing about it.
        let Some(mode) = mode.filter(|_| self.has_flag(Flag::IsHandheld)) else {
            return;
        };
        let shown = (video.client_width().into(), video.client_height().into());
        let frame = (video.video_width().into(), video.video_height().into());
        let stream = self.source.stream.borrow().clone();
        let is_mirrored = stream.is_some_and(|it| it.faces_person());
        let Some((x, y)) = focus::point_of_frame(at, shown, frame, is_mirrored) else {
            return;
        };
        self.adjust_camera(|wanted| wanted.focus = Some((x, y, mode)));
        for ring in self.page.elements(Element::FocusRing) {
            element::show_at(ring, at);
        }
    }

    /// Changes what the person has set, shows it, and tells the camera.
    fn adjust_camera(self, change: impl FnOnce(&mut Adjustment)) {
        if !matches!(
            self.phase(),
            Phase::Preview {
                is_replacing: false
            } | Phase::Countdown { .. }
                | Phase::Recording(_)
                | Phase::Paused(_)
        ) {
            return;
        }
        let tools = &self.camera_tools;
        let mut wanted = tools.wanted.get();
        change(&mut wanted);
        tools.wanted.set(wanted);
        let shown = tools.shown.get();
        tools.shown.set(Adjustment {
            torch: wanted.torch.or(shown.torch),
            zoom: wanted.zoom.or(shown.zoom),
            focus: None,
        });
        self.show_camera_tools();
        let mut requests = tools.requests.get();
        let is_first = requests.begin();
        tools.requests.set(requests);
        if is_first {
            self.send_adjustments();
        }
    }

    fn send_adjustments(self) {
        let Some(stream) = self.source.stream.borrow().clone() else {
            return;
        };
        let camera = self.camera_tools.camera.get();
        spawn_local(async move {
            let tools = &self.camera_tools;
            loop {
                let wanted = tools.wanted.get();
                // Once: the camera would be pointed there again by each later request.
                tools.wanted.set(Adjustment {
                    focus: None,
                    ..wanted
                });
                browser::timeout(REQUEST_TIMEOUT, stream.adjust(wanted)).await;
                if tools.camera.get() != camera {
                    return;
                }
                let mut requests = tools.requests.get();
                let is_outdated = requests.end();
                tools.requests.set(requests);
                if !is_outdated {
                    return self.refresh_camera_tools();
                }
            }
        });
    }

    fn show_camera_tools(self) {
        let tools = &self.camera_tools;
        let range = tools.zoom_range();
        self.set_flag(Flag::HasTorch, tools.abilities.get().torch);
        self.set_flag(Flag::HasZoom, range.is_some());
        for video in self.page.elements(Element::Live) {
            element::toggle_class(video, "preview__video--zooms", range.is_some());
        }
        let is_on = tools.shown.get().torch == Some(true);
        for button in self.page.elements(Element::Torch) {
            element::set_pressed(button, is_on);
        }
        let Some(range) = range else { return };
        let factor = tools.factor(range);
        let active = range.active_preset(factor);
        let locale = browser::page_locale();
        let shown = browser::format_factor(zoom::tenths(factor), &locale);
        for button in self.page.elements(Element::ZoomPreset) {
            let preset = preset_of(button);
            let is_active = active == Some(preset);
            element::set_visible(button, range.presets().any(|it| it == preset));
            element::set_pressed(button, is_active);
            if is_active {
                element::set_text(button, &shown);
            } else {
                let factor = zoom::tenths(range.preset_factor(preset));
                let text = browser::format_factor(factor, &locale);
                element::set_text(button, &text);
            }
        }
        let (min, max) = range.bounds();
        for slider in self.page.elements(Element::ZoomSlider) {
            element::set_attribute(slider, "step", &range.slider_step().to_string());
            element::set_range(
                slider,
                (min * 10.0).ceil(),
                max * 10.0,
                (factor * 10.0).round(),
            );
            element::set_attribute(slider, "aria-valuetext", &shown);
        }
    }
}

/// The preset of a button.
fn preset_of(button: &HtmlElement) -> u32 {
    element::data(button, "zoom").parse().unwrap_or(10)
}
