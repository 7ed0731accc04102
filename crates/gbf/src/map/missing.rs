//! Functions without a body: what the library has to give, in C's words.

use super::{Mapper, Missing, Object};
use crate::irep::IrepId;
use crate::view::plain_name;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::program::{Function, FunctionId, SymbolKind};
use vergo_goto::types::{Type, TypeId};
use vergo_num::FloatFormat;
use vergo_source::Span;

impl Mapper<'_> {
    /// Gives bodies to methods of Java that have none: JBMC takes them to return any value and to change nothing.
    pub(super) fn opaque_bodies(&mut self) {
        let ids: Vec<FunctionId> = self.p.functions.keys().collect();
        for id in ids {
            let name = self.p.functions[id].name.clone();
            let java =
                self.symbol_by_name.get(&name[..]).is_some_and(|&i| self.symbols[i].mode == "java");
            if self.p.functions[id].body.is_some() || !java {
                continue;
            }
            let Type::Func(ret, types) = self.p.types.get(self.p.functions[id].ty).clone() else {
                continue;
            };
            if self.p.functions[id].params.is_empty() {
                for (i, &ty) in types.iter().enumerate() {
                    let name = format!("{name}::$parameter{i}");
                    let symbol =
                        self.add_variable(&name, "", ty, SymbolKind::Param(id), Span::DUMMY);
                    self.p.functions[id].params.push(symbol);
                }
            }
            self.current = Some(id);
            self.builder = FunctionBuilder::new();
            // The result may be passed in a variable beside the call.
            if let Ok(Object::Variable(result)) = self.object(&format!("{name}#return_value"), None)
            {
                let place = self.p.symbol(result);
                let any = self.p.nondet(self.p.symbols[result].ty);
                self.builder.assign(place, any);
            }
            let value = match self.p.types.get(ret) {
                Type::Void => None,
                _ => self.any_of(ret, false).ok(),
            };
            self.builder.ret(value);
            std::mem::take(&mut self.builder).finish(&mut self.p, id);
            self.current = None;
            self.opaque.push(name);
        }
    }

    /// The library's `malloc`, for files that have a word for it.
    pub(super) fn malloc_function(&mut self) -> FunctionId {
        if let Some(function) = self.malloc {
            return function;
        }
        let (void, word) = (self.p.types.void(), self.p.size_type());
        let pointer = self.p.types.ptr(void);
        let ty = self.p.types.func(pointer, [word]);
        let function = self.p.add_function(Function {
            library: true,
            ..Function::declaration("$malloc", "malloc", ty)
        });
        self.malloc = Some(function);
        function
    }

    /// The functions without a body.
    pub(super) fn missing(&mut self) -> Vec<Missing> {
        let mut missing = Vec::new();
        for (id, function) in &self.p.functions {
            if function.body.is_some() {
                continue;
            }
            let ty = self.symbol_by_name.get(&function.name[..]).map(|&i| self.symbols[i].ty);
            if self.malloc == Some(id) {
                let size = if self.p.machine.pointer_width == 64 { "long" } else { "int" };
                let signature = ["void *".to_owned(), format!("unsigned {size}")];
                missing.push(Missing {
                    function: id,
                    name: "malloc".to_owned(),
                    signature: Some(signature.into()),
                    variadic: false,
                    prototype: true,
                    zeros: Vec::new(),
                });
                continue;
            }
            let called = self.unprototyped.iter().find(|&(_, &made)| made == id);
            if let Some(((original, given), _)) = called {
                let &Type::Func(ret, _) = self.p.types.get(function.ty) else { continue };
                let types = std::iter::once(ret).chain(given.iter().map(|given| given.ty));
                let words = types.map(|ty| self.c_word(ty)).collect();
                let zeros = given.iter().enumerate().filter(|(_, given)| given.zero);
                missing.push(Missing {
                    function: id,
                    name: plain_name(&self.p.functions[*original].name).to_owned(),
                    signature: words,
                    variadic: false,
                    prototype: false,
                    zeros: zeros.map(|(i, _)| i).collect(),
                });
                continue;
            }
            let name = plain_name(&function.name).to_owned();
            // A `va_list` is another thing here than in our library.
            let takes_list = name.starts_with('v') && name.contains("printf")
                || name.contains("vf") && name.contains("scanf")
                || name.starts_with("__v") && name.contains("printf")
                || matches!(&name[..], "vscanf" | "vsscanf");
            missing.push(Missing {
                function: id,
                name,
                signature: ty.filter(|_| !takes_list).and_then(|ty| self.signature(ty)),
                variadic: ty.is_some_and(|ty| self.b.is_variadic(ty)),
                prototype: ty.is_some_and(|ty| !self.b.parameters(ty).is_empty()),
                zeros: Vec::new(),
            });
        }
        missing
    }

    /// A type of the program in C's words.
    fn c_word(&self, ty: TypeId) -> Option<String> {
        let long = if self.p.machine.pointer_width == 64 { "long" } else { "long long" };
        Some(match self.p.types.get(ty) {
            Type::Void => "void".to_owned(),
            Type::Ptr(_) => "void *".to_owned(),
            Type::Float(FloatFormat::SINGLE) => "float".to_owned(),
            Type::Float(FloatFormat::DOUBLE) => "double".to_owned(),
            Type::Float(FloatFormat::X87_EXTENDED) => "long double".to_owned(),
            Type::Int { signed, width } => {
                let word = match width {
                    8 => "char",
                    16 => "short",
                    32 => "int",
                    64 => long,
                    128 => "__int128",
                    _ => return None,
                };
                format!("{} {word}", if *signed { "signed" } else { "unsigned" })
            }
            _ => return None,
        })
    }

    fn signature(&self, code: IrepId) -> Option<Vec<String>> {
        let b = self.b;
        let ret = b.present(b.ireps.get(code, "return_type"));
        let mut types = vec![match ret {
            Some(ret) => self.c_type(ret)?,
            None => "void".to_owned(),
        }];
        for parameter in b.parameters(code) {
            types.push(self.c_type(b.ireps.get(parameter, "type")?)?);
        }
        Some(types)
    }

    /// A type in C's words: pointers to anything but characters are pointers to anything.
    fn c_type(&self, irep: IrepId) -> Option<String> {
        let b = self.b;
        let lp64 = self.p.machine.pointer_width == 64;
        Some(match b.ireps.id(irep) {
            "empty" => "void".to_owned(),
            "bool" | "c_bool" => "_Bool".to_owned(),
            id @ ("signedbv" | "unsignedbv") => {
                let plain_char = b.ireps.get_id(irep, "#c_type") == "char"
                    || b.ireps.get_id(irep, "#cpp_type") == "char";
                let word = match b.ireps.get_id(irep, "width") {
                    "8" if plain_char => return Some("char".to_owned()),
                    "8" => "char",
                    "16" => "short",
                    "32" => "int",
                    "64" if lp64 && !b.ireps.get_id(irep, "#c_type").contains("long_long") => {
                        "long"
                    }
                    "64" => "long long",
                    "128" => "__int128",
                    _ => return None,
                };
                let sign = if id == "signedbv" { "signed" } else { "unsigned" };
                format!("{sign} {word}")
            }
            "c_enum" | "c_enum_tag" => "int".to_owned(),
            "floatbv" => match b.ireps.get_id(irep, "width") {
                "32" => "float",
                "64" => "double",
                "80" => "long double",
                // CBMC's `long double` has 113 bits and that of our library 64: calls would not mean the same.
                _ => return None,
            }
            .to_owned(),
            "pointer" => {
                let to = b.subtype(irep)?;
                let is_char = b.ireps.get_id(to, "width") == "8";
                let constant = if b.ireps.get_id(to, "#constant") == "1" { "const " } else { "" };
                format!("{constant}{} *", if is_char { "char" } else { "void" })
            }
            _ => return None,
        })
    }
}
