//! Charts: the few shapes that ours are made of.

use super::strip::{Mark, Strip};
use super::text::{Atom, BLACK, Colour, Faces, Style};
use super::tree::Element;

/// Letters in a chart, in its own measure.
const SIZE: f32 = 12.0;

/// A chart in so much room.
pub(super) fn picture(faces: &Faces, chart: &Element, room: f32) -> Strip {
    let (width, height) = (chart.number("width").max(1.0), chart.number("height"));
    let scale = (room / width).min(1.0);
    let mut strip = Strip::space(height * scale + 6.0);
    for shape in chart.elements() {
        strip.marks.extend(mark(faces, shape, scale));
    }
    strip
}

fn mark(faces: &Faces, shape: &Element, scale: f32) -> Option<Mark> {
    let at = |name: &str| shape.number(name) * scale;
    let width = shape
        .attribute("stroke-width")
        .map_or(1.0, |_| shape.number("stroke-width"));
    let path = |points| Mark::Path {
        points,
        width: width * scale,
        colour: colour(shape, "stroke"),
        dashes: dashes(shape, scale),
    };
    match shape.name.as_str() {
        "line" => Some(path(vec![(at("x1"), at("y1")), (at("x2"), at("y2"))])),
        "polyline" => {
            let points = shape.attribute("points").unwrap_or_default();
            let points = points.split_whitespace().filter_map(|point| {
                let (x, y) = point.split_once(',')?;
                Some((
                    x.parse::<f32>().ok()? * scale,
                    y.parse::<f32>().ok()? * scale,
                ))
            });
            Some(path(points.collect()))
        }
        "circle" => Some(Mark::Disc {
            x: at("cx"),
            y: at("cy"),
            radius: at("r"),
            colour: colour(shape, "fill"),
        }),
        "text" => {
            let style = Style {
                size: SIZE * scale,
                bold: false,
                colour: BLACK,
                together: true,
            };
            let text = shape.text();
            let middle = shape.attribute("text-anchor") == Some("middle");
            let left = if middle {
                faces.width(&text, style) / 2.0
            } else {
                0.0
            };
            Some(Mark::Text {
                x: at("x") - left,
                y: at("y"),
                text,
                style,
            })
        }
        _ => None,
    }
}

/// The line in a chart's key.
pub(super) fn sample(svg: &Element) -> Option<Atom> {
    let line = svg.elements().find(|shape| shape.name == "line")?;
    Some(Atom::Sample {
        width: svg.number("width") * 0.75,
        colour: colour(line, "stroke"),
        dashes: dashes(line, 0.75),
    })
}

/// `#14532d`, or `#ccc`.
fn colour(shape: &Element, name: &str) -> Colour {
    let text = shape.attribute(name).unwrap_or_default();
    let digits = text.trim_start_matches('#');
    let part = |at: usize| match digits.len() {
        6 => u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok(),
        3 => Some(u8::from_str_radix(digits.get(at..=at)?, 16).ok()? * 17),
        _ => None,
    };
    match (part(0), part(1), part(2)) {
        (Some(red), Some(green), Some(blue)) => [red, green, blue],
        _ => BLACK,
    }
}

fn dashes(shape: &Element, scale: f32) -> Vec<f32> {
    let text = shape.attribute("stroke-dasharray").unwrap_or_default();
    let numbers = text.split_whitespace().map(str::parse::<f32>);
    let numbers: Result<Vec<f32>, _> = numbers.collect();
    let numbers = numbers.unwrap_or_default();
    numbers.into_iter().map(|number| number * scale).collect()
}
