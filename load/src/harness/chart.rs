//! Line charts as SVG inside of a page. Colours come from the style of the page.

use maud::{Markup, html};

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 250.0;
/// Room for the labels: left, right, above, below.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 18.0;
const BOTTOM: f64 = 26.0;
/// How many colours the style has.
const COLOURS: usize = 8;

/// How values are spread over the height.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    /// For values of different magnitudes, such as a median and a maximum. Zero is drawn at the lowest value.
    Logarithmic,
}

/// A line.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// A chart.
pub(crate) struct Chart {
    pub(crate) title: &'static str,
    /// The unit of its values, and what the horizontal axis shows.
    pub(crate) unit: &'static str,
    pub(crate) scale: Scale,
    /// Labels of the horizontal axis. Without any it is labelled evenly, in seconds.
    pub(crate) marks: Vec<(f64, String)>,
    /// Where phases begin, and their names.
    pub(crate) phases: Vec<(f64, String)>,
    pub(crate) lines: Vec<Line>,
}

impl Chart {
    /// The chart with its legend. Nothing where there is nothing to draw.
    pub(crate) fn render(&self) -> Markup {
        let points = || self.lines.iter().flat_map(|line| line.points.iter().copied());
        let Some(axes) = Axes::around(points(), self.scale) else { return html! {} };
        let marks = if self.marks.is_empty() { axes.seconds() } else { self.marks.clone() };
        html! {
            figure {
                figcaption { strong { (self.title) } ", " (self.unit) }
                svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(self.title) {
                    @for (at, name) in &self.phases {
                        // The first phase begins a second before the first point.
                        @let x = axes.x(at.max(axes.from));
                        line .phase x1=(x) x2=(x) y1=(TOP) y2=(HEIGHT - BOTTOM) {}
                        text .phase x=(x + 4.0) y=(TOP - 5.0) { (name) }
                    }
                    @for value in axes.values() {
                        line .grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(axes.y(value)) y2=(axes.y(value)) {}
                        text .value x=(LEFT - 6.0) y=(axes.y(value) + 4.0) { (short(value)) }
                    }
                    @for (at, name) in &marks {
                        text .mark x=(axes.x(*at)) y=(HEIGHT - 8.0) { (name) }
                    }
                    @for (number, line) in self.lines.iter().enumerate() {
                        polyline class=(format!("line c{}", number % COLOURS)) points=(axes.path(&line.points)) {
                            title { (line.name) }
                        }
                    }
                }
                p .legend {
                    @for (number, line) in self.lines.iter().enumerate() {
                        span { svg .key viewBox="0 0 14 4" { line class=(format!("line c{}", number % COLOURS)) x1="0" x2="14" y1="2" y2="2" {} } " " (line.name) }
                    }
                }
            }
        }
    }
}

/// The ranges of both axes.
struct Axes {
    from: f64,
    until: f64,
    low: f64,
    high: f64,
    scale: Scale,
}

impl Axes {
    fn around(points: impl Iterator<Item = (f64, f64)>, scale: Scale) -> Option<Self> {
        let (mut from, mut until, mut low, mut high) = (f64::MAX, f64::MIN, f64::MAX, f64::MIN);
        for (x, y) in points {
            (from, until) = (from.min(x), until.max(x));
            if scale == Scale::Linear || y > 0.0 {
                (low, high) = (low.min(y), high.max(y));
            }
        }
        if low > high {
            return None;
        }
        let (low, high) = match scale {
            Scale::Linear => (0.0, step(high) * (high / step(high)).ceil().max(1.0)),
            // Whole decades around the values.
            Scale::Logarithmic => (10_f64.powf(low.log10().floor()), 10_f64.powf((high.log10() + 1e-9).ceil())),
        };
        let high = if high > low { high } else { low * 10.0 + 1.0 };
        Some(Self { from, until: if until > from { until } else { from + 1.0 }, low, high, scale })
    }

    fn x(&self, at: f64) -> f64 {
        tenth(LEFT + (at - self.from) / (self.until - self.from) * (WIDTH - LEFT - RIGHT))
    }

    fn y(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic => (value.max(self.low) / self.low).log10() / (self.high / self.low).log10(),
        };
        tenth(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM))
    }

    /// The values of the grid.
    fn values(&self) -> Vec<f64> {
        let step = step(self.high);
        let following = |value: &f64| match self.scale {
            Scale::Linear => Some(value + step),
            Scale::Logarithmic => Some(value * 10.0),
        };
        std::iter::successors(Some(self.low), following).take_while(|value| *value <= self.high * 1.000_001).take(12).collect()
    }

    fn seconds(&self) -> Vec<(f64, String)> {
        let step = step(self.until - self.from).max(1.0);
        let first = (self.from / step).ceil() * step;
        let times = std::iter::successors(Some(first), |at| Some(at + step)).take_while(|at| *at <= self.until).take(12);
        times.map(|at| (at, format!("{} s", short(at)))).collect()
    }

    fn path(&self, points: &[(f64, f64)]) -> String {
        let pairs: Vec<_> = points.iter().map(|(x, y)| format!("{},{}", self.x(*x), self.y(*y))).collect();
        pairs.join(" ")
    }
}

/// A round step that divides a range into four to ten parts.
fn step(range: f64) -> f64 {
    let decade = 10_f64.powf(range.max(1e-9).log10().floor());
    match range / decade {
        parts if parts < 2.0 => decade / 5.0,
        parts if parts < 5.0 => decade / 2.0,
        _ => decade,
    }
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// A number in few characters.
pub(crate) fn short(value: f64) -> String {
    match value.abs() {
        size if size >= 1e6 => format!("{}M", tenth(value / 1e6)),
        size if size >= 1e4 => format!("{}k", tenth(value / 1e3)),
        size if size >= 100.0 => format!("{value:.0}"),
        _ => ((value * 100.0).round() / 100.0).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Axes, Chart, Line, Scale, short, step};

    #[test]
    fn axes_hold_every_value_and_their_steps_are_round() {
        assert_eq!([1.0, 3.0, 7.0, 40.0, 1_500.0].map(step).map(short), ["0.2", "0.5", "1", "5", "200"]);
        let axes = Axes::around([(0.0, 3.0), (10.0, 47.0)].into_iter(), Scale::Linear).unwrap();
        assert_eq!((axes.low, axes.high), (0.0, 50.0));
        let axes = Axes::around([(0.0, 0.0), (1.0, 0.3), (2.0, 420.0)].into_iter(), Scale::Logarithmic).unwrap();
        assert!((axes.low - 0.1).abs() < 1e-9 && (axes.high - 1000.0).abs() < 1e-6, "{} {}", axes.low, axes.high);
        assert_eq!(axes.values().len(), 5);
        assert_eq!([0.25, 12.0, 1500.0, 25_000.0, 3e6].map(short), ["0.25", "12", "1500", "25k", "3M"]);
    }

    #[test]
    fn a_chart_without_points_is_left_out() {
        let chart = |points| Chart {
            title: "Latency",
            unit: "ms",
            scale: Scale::Logarithmic,
            marks: Vec::new(),
            phases: vec![(0.0, "steady".to_owned())],
            lines: vec![Line { name: "p50 <all>".to_owned(), points }],
        };
        assert_eq!(chart(vec![]).render().0, "");
        let drawn = chart(vec![(0.0, 1.0), (1.0, 5.0)]).render().0;
        assert!(drawn.contains("polyline") && drawn.contains("p50 &lt;all&gt;"), "{drawn}");
    }
}
