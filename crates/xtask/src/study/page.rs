//! The page of the study: tables, figures, and what the numbers say of the paper's claims.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use super::canvas::{Canvas, Mark};
use super::families::FAMILIES;
use super::plot::{Axis, COLORS, Join, Scale, Series, plot};
use super::record::{Record, Task};
use super::{FIVE, FURTHER, INTERPOLATION};

/// Tasks, results, and the time that each run had.
pub(crate) struct Study<'a> {
    pub(crate) tasks: &'a [Task],
    pub(crate) records: &'a [Record],
    pub(crate) timeout: f64,
    /// True if engines began with auxiliary invariants.
    pub(crate) auxiliary: bool,
}

const MARKS: [Mark; 4] = [Mark::Circle, Mark::Cross, Mark::Triangle, Mark::Square];

impl<'a> Study<'a> {
    /// The runs of an engine.
    pub(crate) fn of(&self, engine: &str) -> impl Iterator<Item = &'a Record> {
        let engine = engine.to_owned();
        self.records.iter().filter(move |record| record.engine == engine)
    }

    /// The runs of two engines, task by task.
    pub(crate) fn pairs(&self, a: &str, b: &str) -> impl Iterator<Item = (&'a Record, &'a Record)> {
        let others: BTreeMap<&str, &Record> = self.of(b).map(|r| (r.task.as_str(), r)).collect();
        let runs: Vec<_> = self.of(a).collect();
        runs.into_iter().filter_map(move |r| Some((r, *others.get(r.task.as_str())?)))
    }

    /// The names of tasks with at most one loop, as far as an engine has counted them.
    fn one_loop(&self) -> BTreeSet<&'a str> {
        let mut loops: BTreeMap<&str, u64> = BTreeMap::new();
        for record in self.records {
            let most = loops.entry(&record.task).or_insert(0);
            *most = (*most).max(record.loops);
        }
        loops.into_iter().filter(|(_, n)| *n <= 1).map(|(task, _)| task).collect()
    }

    /// Writes the page and its figures.
    pub(crate) fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let mut page = String::from("# Interpolation-based engines on programs\n\n");
        let n_safe = self.tasks.iter().filter(|task| task.expected).count();
        let _ = writeln!(
            page,
            "{} tasks, {n_safe} of them safe; {} seconds and one core for each run, {} auxiliary invariants. After Beyer, Chien, Jankola, Lee: \
             A Transferability Study of Interpolation-Based Hardware Model Checking for Software Verification, FSE 2024, \
             doi 10.1145/3660797. `results.csv` has every run.\n",
            self.tasks.len(),
            self.timeout,
            if self.auxiliary { "with" } else { "without" }
        );
        let one_loop = self.one_loop();
        let all = |_: &Record| true;
        let single = |r: &Record| one_loop.contains(r.task.as_str());
        let _ = write!(
            page,
            "## Table 1: results of the interpolation-based engines\n\n{}\n",
            self.summary(INTERPOLATION, &all)
        );
        let _ = write!(
            page,
            "## Table 2: processor time on tasks that both engines solved\n\n{}\n",
            self.times("imc", &["ismc", "dar"])
        );
        let five: Vec<&str> = FIVE.iter().chain(FURTHER).copied().collect();
        let _ = write!(
            page,
            "## Table 3: results on the {} programs with at most one loop\n\nThe last two engines are not in the paper.\n\n{}\n{}\n",
            one_loop.len(),
            self.summary(&five, &single),
            self.categories(&five, &single)
        );
        let several = |r: &Record| !single(r);
        let _ = write!(
            page,
            "## Further: results on the {} programs with more loops\n\n{}\n",
            self.tasks.len().saturating_sub(one_loop.len()),
            self.summary(&five, &several)
        );
        page.push_str("## Figures\n\n");
        for (name, title, canvas) in self.figures(&one_loop) {
            std::fs::write(folder.join(format!("{name}.svg")), canvas.svg())?;
            std::fs::write(folder.join(format!("{name}.png")), canvas.png())?;
            let _ = writeln!(page, "![{title}]({name}.svg)\n\n*{title}.* ([PNG]({name}.png))\n");
        }
        let _ = write!(page, "## Claims\n\n{}", self.claims());
        std::fs::write(folder.join("study.md"), page)?;
        Ok(())
    }

    fn figures(&self, one_loop: &BTreeSet<&str>) -> Vec<(String, String, Canvas)> {
        let mut found = Vec::new();
        let mut add = |name: &str, title: &str, canvas: Canvas| {
            found.push((name.to_owned(), title.to_owned(), canvas));
        };
        for (part, what, safe) in [("a", "unsafe", false), ("b", "safe", true)] {
            let title = format!("Figure 1{part}: CPU time of ismc and imc on {what} tasks");
            add(&format!("figure1{part}"), &title, self.scatter(&title, "imc", "ismc", safe));
        }
        for (part, what, safe) in [("a", "alarms", false), ("b", "proofs", true)] {
            let title = format!("Figure 2{part}: correct {what} of imc, ismc and dar");
            add(
                &format!("figure2{part}"),
                &title,
                self.quantile(&title, INTERPOLATION, safe, &|_| true),
            );
        }
        for (part, what, safe) in [("a", "unsafe", false), ("b", "safe", true)] {
            let title = format!("Figure 3{part}: CPU time of dar and imc on {what} tasks");
            add(&format!("figure3{part}"), &title, self.scatter(&title, "imc", "dar", safe));
        }
        let title = "Figure 4a: interpolants of dar and imc";
        add("figure4a", title, self.interpolants(title));
        let title = "Figure 4b: atoms per interpolant and CPU time";
        add("figure4b", title, self.sizes(title));
        let five: Vec<&str> = FIVE.iter().chain(FURTHER).copied().collect();
        for (part, what, safe) in [("a", "alarms", false), ("b", "proofs", true)] {
            let title = format!("Figure 5{part}: correct {what} on programs with at most one loop");
            let single = |r: &Record| one_loop.contains(r.task.as_str());
            add(&format!("figure5{part}"), &title, self.quantile(&title, &five, safe, &single));
        }
        for family in FAMILIES {
            for (what, safe) in [("safe", true), ("unsafe", false)] {
                let title = format!("{}, {what}: cost by size", family.name);
                if let Some(canvas) = self.cost(&title, family.name, safe, &five) {
                    add(&format!("family-{}-{what}", family.name), &title, canvas);
                }
            }
        }
        found
    }

    /// The time of a run in a plot: the limit if it has no answer.
    fn shown(&self, record: &Record) -> f64 {
        if record.is_correct() { record.cpu.clamp(0.001, self.timeout) } else { self.timeout }
    }

    /// The bound above which a quarter of the fixed points of imc lie.
    fn high_bound(&self) -> u64 {
        let mut bounds: Vec<u64> =
            self.of("imc").filter(|r| r.is_fixed_point()).map(|r| r.bound).collect();
        bounds.sort_unstable();
        bounds.get(bounds.len() * 3 / 4).copied().unwrap_or(0)
    }

    fn scatter(&self, title: &str, a: &str, b: &str, safe: bool) -> Canvas {
        let high = self.high_bound();
        let mut solved = Vec::new();
        let mut late = Vec::new();
        let mut only = [Vec::new(), Vec::new()];
        for (x, y) in self.pairs(a, b).filter(|(x, _)| x.expected == safe) {
            // Proofs by unrolling everything say nothing about fixed points.
            let unrolled = |r: &Record| safe && r.is_correct() && !r.is_fixed_point();
            if unrolled(x) || unrolled(y) {
                continue;
            }
            let point = (self.shown(x), self.shown(y));
            match (x.is_correct(), y.is_correct()) {
                (true, true) if safe && x.bound > high => late.push(point),
                (true, true) => solved.push(point),
                (true, false) => only[0].push(point),
                (false, true) => only[1].push(point),
                (false, false) => {}
            }
        }
        let [only_a, only_b] = only;
        let mut series = vec![
            Series {
                name: "both".to_owned(),
                mark: Mark::Circle,
                color: COLORS[0],
                points: solved,
            },
            Series {
                name: format!("only {a}"),
                mark: Mark::Cross,
                color: COLORS[2],
                points: only_a,
            },
            Series {
                name: format!("only {b}"),
                mark: Mark::Square,
                color: COLORS[3],
                points: only_b,
            },
        ];
        if safe {
            let name = format!("both, {a} at bounds above {high}");
            series.push(Series { name, mark: Mark::Triangle, color: COLORS[1], points: late });
        }
        let values = || series.iter().flat_map(|one| &one.points).flat_map(|&(x, y)| [x, y]);
        let x = Axis::over(&format!("{a}: CPU s"), Scale::Logarithmic, values());
        let y = Axis::over(&format!("{b}: CPU s"), Scale::Logarithmic, values());
        plot(title, &x, &y, &series, Join::Diagonal)
    }

    fn quantile(
        &self,
        title: &str,
        engines: &[&str],
        safe: bool,
        wanted: &dyn Fn(&Record) -> bool,
    ) -> Canvas {
        let curve = |(i, engine): (usize, &&str)| {
            let solved =
                self.of(engine).filter(|r| r.is_correct() && r.expected == safe && wanted(r));
            let mut times: Vec<f64> = solved.map(|r| r.cpu.max(0.001)).collect();
            times.sort_by(f64::total_cmp);
            let points =
                times.into_iter().enumerate().map(|(n, time)| ((n + 1) as f64, time)).collect();
            let (mark, color) = (MARKS[i % MARKS.len()], COLORS[i % COLORS.len()]);
            Series { name: (*engine).to_owned(), mark, color, points }
        };
        let series: Vec<Series> = engines.iter().enumerate().map(curve).collect();
        let points = || series.iter().flat_map(|one| &one.points);
        let x = Axis::over("n-th fastest correct result", Scale::Linear, points().map(|p| p.0));
        let y = Axis::over("CPU s", Scale::Logarithmic, points().map(|p| p.1));
        plot(title, &x, &y, &series, Join::Lines)
    }

    fn interpolants(&self, title: &str) -> Canvas {
        let pairs =
            self.pairs("imc", "dar").filter(|(a, b)| a.is_fixed_point() && b.is_fixed_point());
        let points: Vec<(f64, f64)> = pairs
            .map(|(a, b)| (a.interpolants.max(1) as f64, b.interpolants.max(1) as f64))
            .collect();
        let values = || points.iter().flat_map(|&(x, y)| [x, y]).collect::<Vec<_>>().into_iter();
        let x = Axis::over("imc: interpolants", Scale::Logarithmic, values());
        let y = Axis::over("dar: interpolants", Scale::Logarithmic, values());
        let series =
            [Series { name: "tasks".to_owned(), mark: Mark::Circle, color: COLORS[0], points }];
        plot(title, &x, &y, &series, Join::Diagonal)
    }

    /// Atoms per interpolant and the time, for proofs of an engine.
    fn sizes_of(&self, engine: &str) -> Vec<(f64, f64)> {
        let runs = self.of(engine).filter(|r| r.is_fixed_point() && r.interpolants > 0);
        runs.map(|r| ((r.atoms as f64 / r.interpolants as f64).max(0.1), r.cpu.max(0.001)))
            .collect()
    }

    fn sizes(&self, title: &str) -> Canvas {
        let series: Vec<Series> = ["imc", "dar"]
            .iter()
            .enumerate()
            .map(|(i, engine)| Series {
                name: (*engine).to_owned(),
                mark: MARKS[i],
                color: COLORS[i],
                points: self.sizes_of(engine),
            })
            .collect();
        let points = || series.iter().flat_map(|one| &one.points);
        let x = Axis::over("atoms per interpolant", Scale::Logarithmic, points().map(|p| p.0));
        let y = Axis::over("CPU s", Scale::Logarithmic, points().map(|p| p.1));
        plot(title, &x, &y, &series, Join::Nothing)
    }

    fn cost(&self, title: &str, family: &str, safe: bool, engines: &[&str]) -> Option<Canvas> {
        let sizes: BTreeMap<&str, u32> = self
            .tasks
            .iter()
            .filter(|task| task.category == family && task.expected == safe)
            .filter_map(|task| Some((task.name.as_str(), task.size?)))
            .collect();
        if sizes.is_empty() {
            return None;
        }
        let curve = |(i, engine): (usize, &&str)| {
            let runs = self.of(engine);
            let mut points: Vec<(f64, f64)> = runs
                .filter_map(|r| Some((f64::from(*sizes.get(r.task.as_str())?), self.shown(r))))
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (mark, color) = (MARKS[i % MARKS.len()], COLORS[i % COLORS.len()]);
            Series { name: (*engine).to_owned(), mark, color, points }
        };
        let series: Vec<Series> = engines.iter().enumerate().map(curve).collect();
        let points = || series.iter().flat_map(|one| &one.points);
        let x = Axis::over("size", Scale::Logarithmic, points().map(|p| p.0));
        let limit = std::iter::once(self.timeout);
        let y = Axis::over(
            "CPU s (limit: no answer)",
            Scale::Logarithmic,
            points().map(|p| p.1).chain(limit),
        );
        Some(plot(title, &x, &y, &series, Join::Lines))
    }

    /// Returns the result of the numbers for each claim.
    fn claims(&self) -> String {
        let mut text = String::new();
        let mut claim = |name: &str, says: &str, holds: Option<bool>, numbers: String| {
            let verdict = match holds {
                Some(true) => "holds here",
                Some(false) => "does not hold here",
                None => "cannot be said here",
            };
            let _ = writeln!(text, "- **{name}** {says}: *{verdict}*. {numbers}");
        };
        // A twentieth is within what two runs of the same engine differ by.
        let faster = |(n, first, second): (usize, f64, f64)| {
            let is_clear = (first - second).abs() > 0.05 * first.max(second);
            (n > 0 && is_clear).then_some(second < first)
        };
        let sums = |(n, first, second): (usize, f64, f64)| {
            format!("On {n} tasks imc took {first:.1} s and the other {second:.1} s.")
        };
        let alarms = self.both("imc", "ismc", Some(false));
        claim("H1.A", "ismc is faster than imc on unsafe tasks", faster(alarms), sums(alarms));
        let high = self.high_bound();
        let late: Vec<_> = self
            .pairs("imc", "ismc")
            .filter(|(a, b)| a.is_fixed_point() && b.is_correct() && a.bound > high)
            .collect();
        let quicker = late.iter().filter(|(a, b)| b.cpu < a.cpu).count();
        claim(
            "H1.B",
            "ismc is faster than imc where imc finds a proof only at high bounds",
            (!late.is_empty()).then_some(2 * quicker > late.len()),
            format!("Above the bound {high}, ismc is faster in {quicker} of {} tasks.", late.len()),
        );
        let all = self.both("imc", "ismc", None);
        claim("H1.C", "ismc is faster than imc overall", faster(all), sums(all));
        let ratios: Vec<f64> = self
            .of("dar")
            .filter(|r| r.is_fixed_point() && r.iterations > 0)
            .map(|r| r.global as f64 / r.iterations as f64)
            .collect();
        let low = ratios.iter().filter(|ratio| **ratio < 0.5).count();
        let none = ratios.iter().filter(|ratio| **ratio == 0.0).count();
        let mean = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
        claim(
            "H2.A",
            "dar's ratio of iterations with global strengthening is below one half in most tasks",
            (!ratios.is_empty()).then_some(2 * low > ratios.len()),
            format!(
                "It is in {low} of {} proofs by a fixed point; {none} never needed it; the mean is {mean:.3}.",
                ratios.len()
            ),
        );
        let proofs: Vec<_> = self
            .pairs("imc", "dar")
            .filter(|(a, b)| a.is_fixed_point() && b.is_fixed_point())
            .collect();
        let shorter: Vec<_> =
            proofs.iter().filter(|(a, b)| a.convergence < b.convergence).collect();
        let slower = shorter.iter().filter(|(a, b)| a.cpu > b.cpu).count();
        claim(
            "H2.B",
            "imc finds a proof slower than dar in many tasks though its convergence length is smaller",
            (!shorter.is_empty()).then_some(2 * slower > shorter.len()),
            format!(
                "Its length is smaller in {} of {} tasks, in {slower} of which it is slower.",
                shorter.len(),
                proofs.len()
            ),
        );
        let more = proofs.iter().filter(|(a, b)| b.interpolants > a.interpolants).count();
        let fewer = proofs.iter().filter(|(a, b)| b.interpolants < a.interpolants).count();
        claim(
            "H2.C",
            "dar computes more interpolants than imc",
            (!proofs.is_empty()).then_some(more > fewer),
            format!("More in {more} and fewer in {fewer} of {} tasks.", proofs.len()),
        );
        let correlations = ["imc", "dar"].map(|engine| correlation(&self.sizes_of(engine)));
        claim(
            "H2.D",
            "dar's time is more sensitive to the sizes of interpolants than imc's",
            match correlations {
                [Some(imc), Some(dar)] => Some(dar > imc),
                _ => None,
            },
            format!(
                "The correlation between the logarithms of size and time is {} for imc and {} for dar.",
                shown(correlations[0]),
                shown(correlations[1])
            ),
        );
        let all = self.both("imc", "dar", None);
        claim("H2.E", "dar is faster than imc overall", faster(all), sums(all));
        text
    }
}

fn shown(number: Option<f64>) -> String {
    number.map_or_else(|| "unknown".to_owned(), |number| format!("{number:.2}"))
}

/// The correlation between the logarithms of two quantities.
fn correlation(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / n;
    let (mx, my) = (mean(&|p| p.0), mean(&|p| p.1));
    let covariance = mean(&|p| (p.0 - mx) * (p.1 - my));
    let (vx, vy) = (mean(&|p| (p.0 - mx).powi(2)), mean(&|p| (p.1 - my).powi(2)));
    (points.len() > 2 && vx > 0.0 && vy > 0.0).then(|| covariance / (vx * vy).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations() {
        let straight: Vec<(f64, f64)> = (1..10).map(|n| (f64::from(n), f64::from(n * n))).collect();
        assert!((correlation(&straight).unwrap() - 1.0).abs() < 1e-9);
        assert_eq!(correlation(&[(1.0, 1.0)]), None);
    }

    #[test]
    fn a_page_has_all_tables_figures_and_claims() {
        let mut tasks = Vec::new();
        let mut records = Vec::new();
        for n in 1..9u32 {
            let safe = n % 2 == 0;
            let name = format!("counter-modulo-{n}");
            tasks.push(Task {
                name: name.clone(),
                file: name.clone().into(),
                property: "unreach-call".to_owned(),
                expected: safe,
                model: "LP64".to_owned(),
                category: "counter-modulo".to_owned(),
                size: Some(n),
            });
            for (i, engine) in FIVE.iter().enumerate() {
                records.push(Record {
                    task: name.clone(),
                    engine: (*engine).to_owned(),
                    expected: safe,
                    verdict: if i as u32 == n { "timeout".to_owned() } else { safe.to_string() },
                    proof: if safe { "invariant".to_owned() } else { String::new() },
                    cpu: f64::from(n) * (i + 1) as f64 / 10.0,
                    loops: u64::from(n) / 4,
                    bound: n.into(),
                    convergence: (i as u64) + 1,
                    interpolants: (i as u64 + 1) * 3,
                    atoms: 30 * u64::from(n),
                    iterations: 4,
                    global: 1,
                    queries: 9,
                    ..Record::default()
                });
            }
        }
        let folder = std::env::temp_dir().join(format!("vergo-study-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let study = Study { tasks: &tasks, records: &records, timeout: 10.0, auxiliary: false };
        study.write(&folder).unwrap();
        let page = std::fs::read_to_string(folder.join("study.md")).unwrap();
        for part in [
            "Table 1", "Table 2", "Table 3", "H1.A", "H1.B", "H1.C", "H2.A", "H2.B", "H2.C",
            "H2.D", "H2.E",
        ] {
            assert!(page.contains(part), "{part}");
        }
        for figure in ["1a", "1b", "2a", "2b", "3a", "3b", "4a", "4b", "5a", "5b"] {
            assert!(folder.join(format!("figure{figure}.svg")).exists(), "{figure}");
            assert!(folder.join(format!("figure{figure}.png")).exists(), "{figure}");
        }
        assert!(folder.join("family-counter-modulo-safe.svg").exists());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
