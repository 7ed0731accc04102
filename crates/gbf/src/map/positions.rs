//! Source positions: the file and line of a location, as a span.
//!
//! A binary names files that need not exist any more. So a text is made with one line for each line that the binary
//! names, and line markers say which lines these are; whoever has the files sees their text, and everybody the names.

use crate::binary::Binary;
use crate::irep::IrepId;
use crate::view::{FunctionView, SymbolView};
use rustc_hash::FxHashMap;
use vergo_source::{SourceMap, Span};

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
        let mut places: FxHashMap<(IrepId, u32), usize> = FxHashMap::default();
        let mut lines: Vec<(IrepId, u32)> = Vec::new();
        let mut of_location: Vec<(IrepId, usize)> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        // The same name may stand in several ireps.
        let mut names: FxHashMap<Vec<u8>, IrepId> = FxHashMap::default();
        let locations = symbols.iter().filter_map(|symbol| symbol.location);
        let instructions = functions.iter().flat_map(|f| &f.instructions);
        for location in locations.chain(instructions.filter_map(|i| i.location)) {
            if !seen.insert(location) {
                continue;
            }
            let Some(file) = binary.ireps.get(location, "file") else { continue };
            let Ok(line) = binary.ireps.get_id(location, "line").parse() else { continue };
            let text = binary.ireps.id_bytes(file).to_vec();
            let file = *names.entry(text).or_insert(file);
            let next = lines.len();
            let place = *places.entry((file, line)).or_insert(next);
            if place == next {
                lines.push((file, line));
            }
            of_location.push((location, place));
        }
        let text = b" \n".repeat(lines.len());
        let Ok(id) = map.add("<goto binary>", text) else { return Positions::default() };
        for (place, &(file, line)) in lines.iter().enumerate() {
            let name = String::from_utf8_lossy(binary.ireps.id_bytes(file)).into_owned();
            map.add_line_marker(id, 2 * place as u32, line, Some(&name), None);
        }
        let spans = of_location
            .into_iter()
            .map(|(location, place)| {
                let lo = 2 * place as u32;
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
