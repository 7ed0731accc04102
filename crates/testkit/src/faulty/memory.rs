//! The operations of the programs on memory: arrays, pointers, the heap, structures, texts, and the ends of lifetimes.

use super::{Array, Generator, Place, TYPES, Target};

impl Generator {
    pub(super) fn fill(&mut self, array: &Array, from: usize) {
        let Array { name, len, .. } = array;
        let factor = self.rng.below(9);
        put!(self, "for (int k = {from}; k < {len}; k++)");
        put!(self, "    {name}[k] = ({})(k * {factor});", TYPES[array.ty].0);
    }

    /// A new block of the heap, filled.
    pub(super) fn allocate(&mut self) {
        let array = self.array("h", Place::Heap);
        let Array { name, ty, len, .. } = array.clone();
        let ty = TYPES[ty].0;
        if self.rng.one_in(3) {
            put!(self, "{ty} *{name} = calloc({len}, sizeof({ty}));");
        } else {
            put!(self, "{ty} *{name} = malloc({len} * sizeof({ty}));");
            self.fill(&array, 0);
        }
        self.arrays.push(array);
    }

    /// Frees what is still owned.
    pub(super) fn release(&mut self) {
        for i in 0..self.arrays.len() {
            if self.arrays[i].place == Place::Heap && !self.careless() {
                put!(self, "free({});", self.arrays[i].name);
                self.arrays[i].place = Place::Freed;
            }
        }
    }

    /// An array that is alive.
    pub(super) fn live_array(&mut self) -> Option<Array> {
        let live: Vec<&Array> =
            self.arrays.iter().filter(|array| array.place != Place::Freed).collect();
        (!live.is_empty()).then(|| (*self.rng.choose(&live)).clone())
    }

    /// An index that is in range, or one that may not be.
    pub(super) fn index(&mut self, len: usize) -> String {
        if self.careless() {
            return match self.rng.below(3) {
                0 => self.variable(),
                1 => len.to_string(),
                _ => format!("({} & {})", self.variable(), 2 * len - 1),
            };
        }
        match self.rng.below(3) {
            0 => self.rng.below(len).to_string(),
            _ => format!("(({}) & {})", self.expr(1), len - 1),
        }
    }

    /// An index for an access through a pointer: it is out of range by little if at all.
    pub(super) fn near_index(&mut self, array: &Array) -> String {
        if self.careless() {
            let beyond = array.len + self.rng.below(2);
            return match (array.place, self.rng.below(3)) {
                (Place::Automatic | Place::Heap, 0) => "-1".to_owned(),
                (_, 1) => format!("({} & 1) + {}", self.variable(), array.len - 1),
                _ => beyond.to_string(),
            };
        }
        match self.rng.below(2) {
            0 => self.rng.below(array.len).to_string(),
            _ => format!("(({}) & {})", self.expr(1), array.len - 1),
        }
    }

    /// An element of an array, of the matrix or of a structure's array.
    pub(super) fn element(&mut self) {
        let value = self.expr(2);
        if self.rng.one_in(3) {
            let (row, column) = (self.rng.below(3).to_string(), self.index(4));
            let row = if self.careless() { self.variable() } else { row };
            return match self.rng.below(2) {
                0 => put!(self, "matrix[{row}][{column}] = (int)({value});"),
                _ => put!(self, "b = matrix[{row}][{column}];"),
            };
        }
        let Some(array) = self.live_array() else { return };
        let index = if array.place == Place::Heap {
            self.near_index(&array)
        } else {
            self.index(array.len)
        };
        let (name, ty) = (&array.name, TYPES[array.ty].0);
        match self.rng.below(3) {
            0 => put!(self, "{name}[{index}] = ({ty})({value});"),
            1 => {
                // Here gcc 12 watches the address but not the index.
                let index = self.near_index(&array);
                put!(self, "{name}[{index}] ^= ({ty})({value});");
            }
            _ => put!(self, "b = (long){name}[{index}];"),
        }
    }

    /// Lets a pointer point to an element of an array.
    pub(super) fn point_somewhere(&mut self) {
        let i = self.rng.below(self.pointers.len());
        let (name, ty) = (self.pointers[i].name.clone(), self.pointers[i].ty);
        if self.rng.one_in(5) {
            self.pointers[i].to = Target::Null;
            return put!(self, "{name} = NULL;");
        }
        let candidates: Vec<Array> = self
            .arrays
            .iter()
            .filter(|a| a.place != Place::Freed && TYPES[a.ty].0 == TYPES[ty].0)
            .cloned()
            .collect();
        if candidates.is_empty() {
            return;
        }
        let array = self.rng.choose(&candidates).clone();
        let at = self.rng.below(array.len);
        match self.rng.below(3) {
            0 => put!(self, "{name} = {} + {at};", array.name),
            _ => put!(self, "{name} = &{}[{at}];", array.name),
        }
        self.pointers[i].to = Target::Element(array.name, at);
    }

    /// An access through a pointer. One that points nowhere is followed only without care.
    pub(super) fn through_pointer(&mut self) {
        let i = self.rng.below(self.pointers.len());
        let pointer = self.pointers[i].clone();
        let (name, ty) = (&pointer.name, TYPES[pointer.ty].0);
        let value = self.expr(1);
        let place = match &pointer.to {
            Target::Element(array, at) => {
                let array = self.arrays.iter().find(|a| a.name == *array).cloned();
                let Some(array) = array else { return };
                match self.rng.below(3) {
                    0 => format!("*{name}"),
                    1 => format!("{name}[{} - {at}]", self.near_index(&array)),
                    _ => format!("*({name} + ({}) - {at})", self.near_index(&array)),
                }
            }
            _ if self.careless() => format!("*{name}"),
            _ => return put!(self, "if ({name} == NULL) b = {};", self.rng.below(100)),
        };
        match self.rng.below(3) {
            0 => put!(self, "{place} = ({ty})({value});"),
            1 => put!(self, "{place} |= ({ty})({value});"),
            _ => put!(self, "b = (long)({place});"),
        }
    }

    /// The life of a block of the heap.
    pub(super) fn heap(&mut self) {
        let blocks: Vec<usize> = (0..self.arrays.len())
            .filter(|&i| matches!(self.arrays[i].place, Place::Heap | Place::Freed))
            .collect();
        if blocks.is_empty() {
            return self.allocate();
        }
        let i = *self.rng.choose(&blocks);
        let array = self.arrays[i].clone();
        let (name, ty) = (&array.name, TYPES[array.ty].0);
        if array.place == Place::Freed {
            if self.careless() {
                return match self.rng.below(4) {
                    0 => put!(self, "free({name});"),
                    1 => put!(self, "{name}[{}] = 1;", self.rng.below(array.len)),
                    2 => put!(self, "b = (long)*{name};"),
                    _ => put!(self, "memset({name}, 1, sizeof *{name});"),
                };
            }
            put!(self, "{name} = malloc({} * sizeof({ty}));", array.len);
            self.fill(&array, 0);
            self.arrays[i].place = Place::Heap;
            return;
        }
        if self.careless() {
            return match self.rng.below(5) {
                0 => put!(self, "free({name} + 1);"),
                1 => put!(self, "free(&matrix[0][0]);"),
                2 => put!(self, "free({});", self.arrays[0].name),
                // The block is lost.
                3 => put!(self, "{name} = calloc({}, sizeof({ty}));", array.len),
                _ => put!(self, "b = ((char *){name})[{} * sizeof({ty})];", array.len),
            };
        }
        match self.rng.below(3) {
            0 => {
                put!(self, "free({name});");
                self.arrays[i].place = Place::Freed;
                self.forget_pointers_into(name);
            }
            1 => {
                let len = if array.len == 16 { 2 } else { 2 * array.len };
                put!(self, "{name} = realloc({name}, {len} * sizeof({ty}));");
                self.arrays[i].len = len;
                let grown = self.arrays[i].clone();
                if len > array.len {
                    self.fill(&grown, array.len);
                }
                self.forget_pointers_into(name);
            }
            _ => self.allocate(),
        }
    }

    pub(super) fn forget_pointers_into(&mut self, name: &str) {
        for pointer in &mut self.pointers {
            if matches!(&pointer.to, Target::Element(array, _) if array == name) {
                pointer.to = Target::Dead;
            }
        }
    }

    /// Members of structures, reached in different ways.
    pub(super) fn record(&mut self) {
        let index = self.index(4);
        let value = self.expr(1);
        let name = self.name("r");
        put!(
            self,
            "struct record *{name} = {};",
            self.rng.choose(&["&first", "&second", "second.next", "&second"])
        );
        // `second` leads to `first`, which leads nowhere.
        if self.careless() {
            put!(self, "{name} = {name}->next;");
        }
        match self.rng.below(6) {
            0 => put!(self, "{name}->values[{index}] = (short)({value});"),
            1 => put!(self, "second.values[{index}] = (short)({value});"),
            2 => put!(self, "b = {name}->sum;"),
            3 => put!(self, "{name}->sum = (long)({value});"),
            4 => put!(self, "b = {name}->action((int)({value}));"),
            _ => put!(self, "b = (*{name}).count;"),
        }
    }

    /// Blocks of bytes.
    pub(super) fn bytes(&mut self) {
        let (Some(to), Some(from)) = (self.live_array(), self.live_array()) else { return };
        if to.name == from.name {
            return put!(
                self,
                "memmove({}, {} + 1, {} * sizeof *{});",
                to.name,
                to.name,
                to.len - 1,
                to.name
            );
        }
        let size = |array: &Array| format!("{} * sizeof({})", array.len, TYPES[array.ty].0);
        let (to_size, from_size) = (size(&to), size(&from));
        let smaller = format!("({to_size} < {from_size} ? {to_size} : {from_size})");
        let n = if self.careless() {
            format!("{smaller} + {}", self.rng.between(1, 3))
        } else {
            smaller
        };
        match self.rng.below(3) {
            0 => put!(self, "memcpy({}, {}, {n});", to.name, from.name),
            1 => put!(self, "b = memcmp({}, {}, {n}) != 0;", to.name, from.name),
            _ => put!(self, "memset({}, {}, {n});", to.name, self.rng.below(100)),
        }
    }

    /// Texts in buffers that may be too small.
    pub(super) fn string(&mut self) {
        let size = self.rng.between(4, 12);
        let buffer = self.name("text");
        let heap = self.rng.one_in(2);
        if heap {
            put!(self, "char *{buffer} = malloc({size});");
        } else {
            put!(self, "char {buffer}[{size}];");
        }
        let n = if self.careless() { size + self.rng.below(2) } else { self.rng.below(size) };
        let text = &"abcdefghijklmno"[..n];
        put!(self, "strcpy({buffer}, \"{text}\");");
        if self.careless() {
            put!(self, "strcat({buffer}, \"xy\");");
        }
        match self.rng.below(3) {
            0 => put!(self, "b = (long)strlen({buffer});"),
            1 => put!(self, "b = strcmp({buffer}, \"abc\") < 0;"),
            _ => put!(self, "printf(\"%s\\n\", {buffer});"),
        }
        if heap && !self.careless() {
            put!(self, "free({buffer});");
        }
    }

    /// Words that are read at addresses of other words.
    pub(super) fn reinterpret(&mut self) {
        let Some(array) = self.live_array() else { return };
        let aligned = array.ty == 4 || array.ty == 5 || array.ty == 6;
        if !aligned {
            return;
        }
        let at = if self.careless() {
            self.rng.below(4 * array.len - 3)
        } else {
            4 * self.rng.below(array.len)
        };
        let name = &array.name;
        match self.rng.below(3) {
            0 => put!(self, "b = *(int *)((char *){name} + {at});"),
            1 => put!(self, "*(unsigned *)((char *){name} + {at}) = (unsigned)({});", self.expr(1)),
            _ => put!(self, "b = *(short *)((char *){name} + {});", at & !1),
        }
    }

    /// Addresses of variables whose block, or function, is left.
    pub(super) fn scope(&mut self) {
        if self.rng.one_in(2) {
            let keep = if self.careless() { "keep_local" } else { "keep_static" };
            put!(self, "{keep}((int)({}));", self.expr(1));
            return match self.rng.below(2) {
                0 => put!(self, "b = *kept;"),
                _ => put!(self, "*kept = 1;"),
            };
        }
        let i = self.rng.below(self.pointers.len());
        let (name, ty) = (self.pointers[i].name.clone(), TYPES[self.pointers[i].ty].0);
        self.line("{");
        self.indent += 1;
        let inner = self.name("inner");
        put!(self, "{ty} {inner} = ({ty})({});", self.expr(1));
        put!(self, "{name} = &{inner};");
        put!(self, "*{name} ^= 1;");
        put!(self, "b = (long){inner};");
        self.indent -= 1;
        self.line("}");
        self.pointers[i].to = Target::Dead;
        if self.careless() {
            put!(self, "b = (long)*{name};");
        }
    }

    pub(super) fn variable_length(&mut self) {
        let n = self.name("n");
        let v = self.name("v");
        put!(self, "int {n} = (int)(({}) & 7) + 1;", self.expr(1));
        self.line("{");
        self.indent += 1;
        put!(self, "short {v}[{n}];");
        put!(self, "for (int k = 0; k < {n}; k++)");
        put!(self, "    {v}[k] = (short)k;");
        let index = if self.careless() { n.clone() } else { format!("{n} - 1") };
        put!(self, "b = {v}[{index}];");
        self.indent -= 1;
        self.line("}");
    }

    /// A pointer that moves over an array.
    pub(super) fn walk(&mut self) {
        let Some(array) = self.live_array() else { return };
        let (w, k) = (self.name("w"), self.name("k"));
        let (name, ty) = (&array.name, TYPES[array.ty].0);
        put!(self, "{ty} *{w} = {name};");
        put!(self, "int {k} = 0;");
        let rounds = if self.careless() { array.len + 1 } else { array.len };
        put!(self, "while ({k} < {rounds}) {{");
        self.indent += 1;
        match self.rng.below(4) {
            0 => put!(self, "b ^= (long)*{w}++;"),
            1 => put!(self, "*{w}++ = ({ty}){k};"),
            2 => put!(self, "b ^= (long){name}[{k}] ^ (long){w}[0], {w} += 1;"),
            _ => put!(self, "b ^= {w} < {name} + {} ? (long)*{w}++ : 0;", array.len),
        }
        put!(self, "{k}++;");
        self.indent -= 1;
        self.line("}");
        if self.rng.one_in(2) {
            put!(self, "b = (long)({w} - {name});");
        }
    }
}
