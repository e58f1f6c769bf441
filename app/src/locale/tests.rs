//! Compares the Fluent files with one another and with the list of messages, and formats every message.

use std::collections::BTreeSet;

use fluent_bundle::{FluentArgs, FluentValue};
use fluent_syntax::ast::{
    CallArguments, Entry, Expression, InlineExpression, Pattern, PatternElement,
};
use fluent_syntax::parser;

use super::*;

/// An id with the names of its variables.
type Signature = (String, BTreeSet<String>);

/// Of the messages of a file, in its order.
fn signatures(locale: Locale) -> Vec<Signature> {
    let resource = parser::parse(locale.source());
    let resource = resource.unwrap_or_else(|(_, errors)| panic!("{locale:?}: {errors:?}"));
    let messages = resource.body.iter().filter_map(|entry| match entry {
        Entry::Message(message) => Some(message),
        Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) => None,
        Entry::Term(_) | Entry::Junk { .. } => panic!("{locale:?}: {entry:?}"),
    });
    let messages = messages.map(|message| {
        assert!(message.attributes.is_empty(), "{message:?}");
        let mut names = BTreeSet::new();
        let text = message.value.as_ref().expect("a text");
        variables(text, &mut names);
        (message.id.name.to_owned(), names)
    });
    messages.collect()
}

fn variables(pattern: &Pattern<&str>, names: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            variables_of(expression, names);
        }
    }
}

fn variables_of(expression: &Expression<&str>, names: &mut BTreeSet<String>) {
    let inline = match expression {
        Expression::Inline(inline) => inline,
        Expression::Select { selector, variants } => {
            for variant in variants {
                variables(&variant.value, names);
            }
            selector
        }
    };
    match inline {
        InlineExpression::VariableReference { id } => {
            names.insert(id.name.to_owned());
        }
        InlineExpression::Placeable { expression } => variables_of(expression, names),
        InlineExpression::FunctionReference {
            arguments: CallArguments { positional, .. },
            ..
        } => {
            for argument in positional {
                variables_of(&Expression::Inline(argument.clone()), names);
            }
        }
        InlineExpression::StringLiteral { .. } | InlineExpression::NumberLiteral { .. } => {}
        other => panic!("a message that refers to another: {other:?}"),
    }
}

fn texts(values: &FluentArgs) -> impl Iterator<Item = (Locale, Message, String)> {
    Locale::ALL.into_iter().flat_map(move |locale| {
        let messages = Message::ALL.iter();
        messages.map(move |it| (locale, *it, locale.format(*it, values)))
    })
}

/// Values for all variables that there are.
fn samples(number: u8) -> FluentArgs<'static> {
    let names = Message::ALL.iter().flat_map(|it| it.variables());
    let values = names.map(|name| {
        let value = match *name {
            "day" | "month" | "days" | "seconds" => FluentValue::from(number),
            _ => FluentValue::from("0:42"),
        };
        (*name, value)
    });
    values.collect()
}

#[test]
fn every_file_has_every_message_with_the_variables_that_are_filled_in() {
    let want: Vec<Signature> = Message::ALL
        .iter()
        .map(|message| {
            let names = message.variables().iter().map(|it| (*it).to_owned());
            (message.id().to_owned(), names.collect())
        })
        .collect();
    for locale in Locale::ALL {
        assert_eq!(signatures(locale), want, "{locale:?}");
    }
}

#[test]
fn every_message_can_be_formatted() {
    // With debug assertions, formatting panics where it fails.
    for number in [0, 1, 2, 5, 11, 100] {
        for (locale, message, text) in texts(&samples(number)) {
            assert_eq!(text, text.trim(), "{locale:?}: {message:?}");
            assert!(!text.is_empty(), "{locale:?}: {message:?}");
            let unwanted = text.contains(['{', '}', '\u{2068}', '\u{2069}', '\u{E000}']);
            assert!(!unwanted, "{locale:?}: {message:?}: {text}");
        }
    }
}

#[test]
fn a_translation_has_as_many_lines_as_the_english_text() {
    let samples = samples(2);
    for (locale, message, text) in texts(&samples) {
        let english = Locale::English.format(message, &samples);
        let (lines, want) = (text.lines().count(), english.lines().count());
        assert_eq!(lines, want, "{locale:?}: {message:?}");
    }
}

#[test]
fn a_number_takes_the_plural_of_its_language() {
    for (locale, seconds, want) in [
        (Locale::English, 1, "Recording starts in 1 second."),
        (Locale::English, 3, "Recording starts in 3 seconds."),
        (
            Locale::French,
            0,
            "L’enregistrement commence dans 0 seconde.",
        ),
        (Locale::German, 1, "Die Aufnahme beginnt in 1 Sekunde."),
        (Locale::Polish, 1, "Nagrywanie zacznie się za 1 sekundę."),
        (Locale::Polish, 3, "Nagrywanie zacznie się za 3 sekundy."),
        (Locale::Polish, 11, "Nagrywanie zacznie się za 11 sekund."),
        (Locale::Polish, 22, "Nagrywanie zacznie się za 22 sekundy."),
        (Locale::Arabic, 1, "يبدأ التسجيل بعد ثانية واحدة."),
        (Locale::Arabic, 2, "يبدأ التسجيل بعد ثانيتين."),
        (Locale::Arabic, 3, "يبدأ التسجيل بعد 3 ثوانٍ."),
        (Locale::Arabic, 100, "يبدأ التسجيل بعد 100 ثانية."),
        (Locale::Ukrainian, 1, "Запис почнеться за 1 секунду."),
        (Locale::Ukrainian, 3, "Запис почнеться за 3 секунди."),
        (Locale::Ukrainian, 11, "Запис почнеться за 11 секунд."),
        (Locale::Ukrainian, 22, "Запис почнеться за 22 секунди."),
        (Locale::Dutch, 1, "De opname begint over 1 seconde."),
        (Locale::Indonesian, 1, "Rekaman dimulai dalam 1 detik."),
        (Locale::Vietnamese, 3, "Bắt đầu quay sau 3 giây."),
        (Locale::TraditionalChinese, 3, "3 秒後開始錄影。"),
        (Locale::Japanese, 1, "1秒後に録画が始まります。"),
        (Locale::Korean, 1, "1초 후에 녹화가 시작됩니다."),
    ] {
        let values = FluentArgs::from_iter([("seconds", seconds)]);
        let text = locale.format(Message::AnnounceCountdown, &values);
        assert_eq!(text, want);
    }
}

#[test]
fn a_template_is_split_at_its_variables() {
    use Part::{Text, Variable};
    let template = Locale::English.template(Message::ReviewFacts);
    let want = [
        Text("Length "),
        Variable("recorded"),
        Text(" · size "),
        Variable("size"),
    ];
    assert_eq!(parts(template).collect::<Vec<_>>(), want);
    let template = Locale::English.template(Message::RecordingStop);
    assert_eq!(parts(template).collect::<Vec<_>>(), [Text("Stop")]);
    let template = Locale::English.template(Message::UnblockIosApp);
    let lines = template.lines().map(|line| parts(line).collect::<Vec<_>>());
    let want = [
        vec![
            Text("Open your device’s Settings and find "),
            Variable("browser"),
            Text("."),
        ],
        vec![Text("Turn on camera and microphone.")],
    ];
    assert_eq!(lines.collect::<Vec<_>>(), want);
}

#[test]
fn every_language_has_a_code_of_its_own() {
    for locale in Locale::ALL {
        let same = Locale::ALL.iter().filter(|it| it.code() == locale.code());
        assert_eq!(same.count(), 1, "{locale:?}");
        assert!(locale.tag().starts_with(locale.code()), "{locale:?}");
    }
}
