//! Source positions: the file and line of a location, as a span.
//!
//! A binary names files that need not exist any more. So a text is made with one line for each line that the binary
//! names, and line markers say which lines these are; whoever has the files sees their text, and everybody the names.

use crate::binary::Binary;
use crate::irep::IrepId;
use crate::view::SymbolView;
use cranelift_entity::{EntityRef, EntitySet};
use rustc_hash::FxHashMap;
use vergo_source::{SourceMap, Span};

/// The name of the text in which the places of a binary stand.
pub const PLACES: &str = "<goto binary>";

/// The columns that are told apart in a line.
const MOST_COLUMNS: u32 = 256;

/// The content of a location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    file: IrepId,
    line: u32,
    column: u32,
}

/// The spans of locations.
#[derive(Debug, Default)]
pub(crate) struct Positions {
    /// By the irep of the location.
    spans: Vec<Span>,
}

impl Positions {
    /// Puts the lines that a binary names into the map.
    pub(crate) fn new(
        binary: &Binary,
        symbols: &[SymbolView<'_>],
        map: &mut SourceMap,
    ) -> Positions {
        // The same name may stand in several ireps: the first stands for all.
        let mut names: FxHashMap<&[u8], IrepId> = FxHashMap::default();
        let mut places: Vec<(IrepId, Place)> = Vec::new();
        let mut seen = EntitySet::with_capacity(binary.ireps.len());
        let of_symbols = symbols.iter().filter_map(|symbol| symbol.location);
        let parts = binary.ireps.all_named("#source_location");
        for location in of_symbols.chain(binary.instruction_locations()).chain(parts) {
            if !seen.insert(location) {
                continue;
            }
            let Some(file) = binary.ireps.get(location, "file") else { continue };
            let Ok(line) = binary.ireps.get_id(location, "line").parse() else { continue };
            let column = binary.ireps.get_id(location, "column").parse().unwrap_or(1);
            let column = u32::clamp(column, 1, MOST_COLUMNS);
            let file = *names.entry(binary.ireps.id_bytes(file)).or_insert(file);
            places.push((location, Place { file, line, column }));
        }
        // A line of blanks for each, as long as it takes, and a marker wherever they do not count up.
        let mut lines: Vec<Place> = places.iter().map(|&(_, place)| place).collect();
        lines.sort_unstable();
        let mut text = Vec::new();
        let mut starts: FxHashMap<(IrepId, u32), u32> = FxHashMap::default();
        let mut markers: Vec<(u32, Place)> = Vec::new();
        let mut before: Option<Place> = None;
        for (i, &place) in lines.iter().enumerate() {
            let same = |other: &Place| (other.file, other.line) == (place.file, place.line);
            // The last of a line has the greatest column.
            if lines.get(i + 1).is_some_and(same) {
                continue;
            }
            let start = text.len() as u32;
            if before
                .is_none_or(|b| b.file != place.file || b.line.checked_add(1) != Some(place.line))
            {
                markers.push((start, place));
            }
            before = Some(place);
            starts.insert((place.file, place.line), start);
            text.resize(text.len() + place.column as usize, b' ');
            text.push(b'\n');
        }
        let Ok(id) = map.add(PLACES, text) else { return Positions::default() };
        for (start, place) in markers {
            let name = String::from_utf8_lossy(binary.ireps.id_bytes(place.file));
            map.add_line_marker(id, start, place.line, Some(&name), None);
        }
        let mut spans = vec![Span::DUMMY; binary.ireps.len()];
        for (location, place) in places {
            let lo = starts[&(place.file, place.line)] + place.column - 1;
            spans[location.index()] = map.span(id, lo, lo + 1);
        }
        Positions { spans }
    }

    /// The span of a location.
    pub(crate) fn span(&self, location: Option<IrepId>) -> Span {
        location.and_then(|l| self.spans.get(l.index()).copied()).unwrap_or(Span::DUMMY)
    }
}
