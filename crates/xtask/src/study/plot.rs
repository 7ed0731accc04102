//! Plots on logarithmic axes: points against each other, and curves.

use super::canvas::{Anchor, Canvas, Color, Mark};

const WIDTH: usize = 520;
const HEIGHT: usize = 440;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 52.0;
const BLACK: Color = [30, 30, 30];
const GREY: Color = [200, 200, 200];

/// Colours that are told apart in print as well.
pub(crate) const COLORS: [Color; 8] = [
    [31, 119, 180],
    [214, 39, 40],
    [44, 160, 44],
    [255, 127, 14],
    [148, 103, 189],
    [140, 86, 75],
    [23, 150, 170],
    [110, 110, 110],
];

/// The scale of an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scale {
    Linear,
    Logarithmic,
}

/// An axis: its name, its scale and its ends.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    name: String,
    scale: Scale,
    low: f64,
    high: f64,
}

impl Axis {
    /// An axis with room for all values.
    pub(crate) fn over(name: &str, scale: Scale, values: impl Iterator<Item = f64>) -> Axis {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            low = low.min(value);
            high = high.max(value);
        }
        if !low.is_finite() {
            (low, high) = (1.0, 10.0);
        }
        match scale {
            Scale::Linear => {
                low = low.min(0.0);
                let step = step(high - low);
                high = ((high.max(low + 1.0) - low) / step).ceil() * step + low;
            }
            Scale::Logarithmic => {
                low = 10f64.powf(low.max(1e-3).log10().floor());
                high = 10f64.powf(high.max(low * 10.0).log10().ceil());
            }
        }
        Axis { name: name.to_owned(), scale, low, high }
    }

    /// Where a value is between the ends.
    fn part(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic => {
                (value.max(self.low) / self.low).log10() / (self.high / self.low).log10()
            }
        }
    }

    fn ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Linear => {
                let step = step(self.high - self.low);
                let n_steps = ((self.high - self.low) / step).round() as u32;
                (0..=n_steps).map(|i| self.low + step * f64::from(i)).collect()
            }
            Scale::Logarithmic => {
                let mut ticks = Vec::new();
                let mut tick = self.low;
                while tick <= self.high * 1.0001 {
                    ticks.push(tick);
                    tick *= 10.0;
                }
                ticks
            }
        }
    }
}

/// The distance of ticks on a linear axis of things that are counted: one, two or five times a power of ten, and no more
/// than six of them.
fn step(length: f64) -> f64 {
    let mut unit = 1.0;
    loop {
        for step in [unit, 2.0 * unit, 5.0 * unit] {
            if length <= 6.0 * step {
                return step;
            }
        }
        unit *= 10.0;
    }
}

fn number(value: f64) -> String {
    if value >= 10_000.0 {
        return format!("{}K", (value / 1000.0).round());
    }
    if value >= 10.0 || value.fract() == 0.0 {
        return format!("{value:.0}");
    }
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A series: its name, its mark, its colour and its points.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) mark: Mark,
    pub(crate) color: Color,
    pub(crate) points: Vec<(f64, f64)>,
}

/// The line that joins the points of a series.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Join {
    /// Nothing; the diagonal shows where both axes are the same.
    Diagonal,
    /// Nothing.
    Nothing,
    /// Lines.
    Lines,
}

/// Draws series.
pub(crate) fn plot(title: &str, x: &Axis, y: &Axis, series: &[Series], join: Join) -> Canvas {
    let mut canvas = Canvas::new(WIDTH, HEIGHT);
    let (width, height) = (WIDTH as f64 - LEFT - RIGHT, HEIGHT as f64 - TOP - BOTTOM);
    let place = |a: f64, b: f64| (LEFT + width * x.part(a), TOP + height * (1.0 - y.part(b)));
    canvas.text((WIDTH as f64 / 2.0, 18.0), title, Anchor::Middle, BLACK);
    for tick in x.ticks() {
        let (at, bottom) = place(tick, y.low);
        canvas.line((at, TOP), (at, bottom), GREY);
        canvas.text((at, bottom + 16.0), &number(tick), Anchor::Middle, BLACK);
    }
    for tick in y.ticks() {
        let (left, at) = place(x.low, tick);
        canvas.line((left, at), (LEFT + width, at), GREY);
        canvas.text((left - 6.0, at + 4.0), &number(tick), Anchor::End, BLACK);
    }
    let corners =
        [place(x.low, y.low), place(x.high, y.low), place(x.high, y.high), place(x.low, y.high)];
    for i in 0..4 {
        canvas.line(corners[i], corners[(i + 1) % 4], BLACK);
    }
    canvas.text((LEFT + width / 2.0, HEIGHT as f64 - 12.0), &x.name, Anchor::Middle, BLACK);
    canvas.text((6.0, TOP - 8.0), &y.name, Anchor::Start, BLACK);
    if join == Join::Diagonal {
        let (low, high) = (x.low.max(y.low), x.high.min(y.high));
        canvas.line(place(low, low), place(high, high), BLACK);
    }
    for one in series {
        let points: Vec<(f64, f64)> = one.points.iter().map(|&(a, b)| place(a, b)).collect();
        if join == Join::Lines {
            curve(&mut canvas, one, &points);
        } else {
            points.iter().for_each(|&at| canvas.mark(at, one.mark, one.color));
        }
    }
    for (i, one) in series.iter().enumerate() {
        let at = TOP + 14.0 + 15.0 * i as f64;
        canvas.mark((LEFT + 12.0, at - 4.0), one.mark, one.color);
        canvas.text((LEFT + 22.0, at), &one.name, Anchor::Start, one.color);
    }
    canvas
}

/// Draws a curve in steps that can be seen, with marks now and then.
fn curve(canvas: &mut Canvas, series: &Series, points: &[(f64, f64)]) {
    const STEP: f64 = 3.0;
    const MARKS: usize = 20;
    let Some((mut last, rest)) = points.split_first().map(|(&first, rest)| (first, rest)) else {
        return;
    };
    canvas.mark(last, series.mark, series.color);
    for (i, &at) in rest.iter().enumerate() {
        let is_last = i + 1 == rest.len();
        if is_last || (i + 1) % points.len().div_ceil(MARKS) == 0 {
            canvas.mark(at, series.mark, series.color);
        }
        if is_last || (at.0 - last.0).hypot(at.1 - last.1) >= STEP {
            canvas.line(last, at, series.color);
            last = at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_whole_ticks() {
        for (most, wanted) in [
            (0.0, vec![0.0, 1.0]),
            (5.0, vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
            (19.0, vec![0.0, 5.0, 10.0, 15.0, 20.0]),
            (61.0, vec![0.0, 20.0, 40.0, 60.0, 80.0]),
        ] {
            let axis = Axis::over("n", Scale::Linear, [most].into_iter());
            assert_eq!(axis.ticks(), wanted, "{most}");
        }
    }
}
