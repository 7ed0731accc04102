//! Source positions: the file and line of a location, as a span.
//!
//! A binary names files that need not exist any more. So a text is made with one line for each line that the binary
//! names, and line markers say which lines these are; whoever has the files sees their text, and everybody the names.

use crate::binary::Binary;
use crate::irep::IrepId;
use crate::view::{FunctionView, SymbolView};
use rustc_hash::FxHashMap;
use vergo_source::{SourceMap, Span};

/// The columns that are told apart in a line.
const MOST_COLUMNS: u32 = 256;

/// The spans of locations.
#[derive(Debug, Default)]
pub(crate) struct Positions {
    spans: FxHashMap<IrepId, Span>,
}

impl Positions {
    /// Puts the lines that a binary names into the map.
    pub(crate) fn new(
        binary: &Binary,
        symbols: &[SymbolView],
        functions: &[FunctionView],
        map: &mut SourceMap,
    ) -> Positions {
        let mut places: FxHashMap<(IrepId, u32, u32), usize> = FxHashMap::default();
        let mut lines: Vec<(IrepId, u32, u32)> = Vec::new();
        let mut of_location: Vec<(IrepId, usize)> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        // The same name may stand in several ireps.
        let mut names: FxHashMap<Vec<u8>, IrepId> = FxHashMap::default();
        let locations = symbols.iter().filter_map(|symbol| symbol.location);
        let instructions = functions.iter().flat_map(|f| &f.instructions);
        let parts = binary.ireps.all_named("#source_location");
        for location in locations.chain(instructions.filter_map(|i| i.location)).chain(parts) {
            if !seen.insert(location) {
                continue;
            }
            let Some(file) = binary.ireps.get(location, "file") else { continue };
            let Ok(line) = binary.ireps.get_id(location, "line").parse() else { continue };
            let column = binary.ireps.get_id(location, "column").parse().unwrap_or(1);
            let column = u32::clamp(column, 1, MOST_COLUMNS);
            let text = binary.ireps.id_bytes(file).to_vec();
            let file = *names.entry(text).or_insert(file);
            let next = lines.len();
            let place = *places.entry((file, line, column)).or_insert(next);
            if place == next {
                lines.push((file, line, column));
            }
            of_location.push((location, place));
        }
        // A line of blanks for each, as long as it takes.
        let (mut text, mut starts) = (Vec::new(), Vec::with_capacity(lines.len()));
        for &(_, _, column) in &lines {
            starts.push(text.len() as u32);
            text.resize(text.len() + column as usize, b' ');
            text.push(b'\n');
        }
        let Ok(id) = map.add("<goto binary>", text) else { return Positions::default() };
        for (&start, &(file, line, _)) in starts.iter().zip(&lines) {
            let name = String::from_utf8_lossy(binary.ireps.id_bytes(file)).into_owned();
            map.add_line_marker(id, start, line, Some(&name), None);
        }
        let spans = of_location
            .into_iter()
            .map(|(location, place)| {
                let lo = starts[place] + lines[place].2 - 1;
                (location, map.span(id, lo, lo + 1))
            })
            .collect();
        Positions { spans }
    }

    /// The span of a location.
    pub(crate) fn span(&self, location: Option<IrepId>) -> Span {
        location.and_then(|l| self.spans.get(&l).copied()).unwrap_or(Span::DUMMY)
    }
}
