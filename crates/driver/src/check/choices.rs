//! The choices of an execution as a value of JSON, by the names of the program.

use cranelift_entity::EntityRef;
use serde_json::{Value, json};
use vergo_evidence::{Choices, Input};
use vergo_goto::program::{FunctionId, Program, SymbolId};
use vergo_interp::{Birth, InputType, InputValue};
use vergo_source::Span;

/// Choices as a value; none if they are of a kind that is not kept: of threads, or of what comes from outside.
pub(super) fn value(choices: &Choices, program: &Program) -> Option<Value> {
    if !choices.schedule.0.is_empty() || !choices.reads.is_empty() {
        return None;
    }
    let inputs: Vec<String> =
        choices.inputs.iter().map(|input| hex(&bytes(&input.value))).collect();
    let memory: Vec<Value> = choices
        .memory
        .iter()
        .map(|((birth, count), bytes)| json!([print_birth(*birth, program), count, bytes]))
        .collect();
    let addresses: Vec<Value> = choices
        .addresses
        .iter()
        .map(|(birth, count, address)| json!([print_birth(birth, program), count, address]))
        .collect();
    Some(json!({ "inputs": inputs, "memory": memory, "addresses": addresses }))
}

/// The choices of a value; none if it is no such value, or speaks of another program.
pub(super) fn parse(value: &Value, program: &Program) -> Option<Choices> {
    let mut choices = Choices::default();
    for input in value["inputs"].as_array()? {
        let bytes = unhex(input.as_str()?)?;
        // Bytes become a value of whatever type is asked for.
        choices.inputs.push(Input {
            span: Span::DUMMY,
            function: String::new(),
            ty: InputType::Bytes(bytes.len() as u64),
            value: InputValue::Bytes(bytes),
        });
    }
    for row in value["memory"].as_array()? {
        let (birth, count) = (parse_birth(&row[0], program)?, row[1].as_u64()?);
        let mut bytes = Vec::new();
        for pair in row[2].as_array()? {
            bytes.push((pair[0].as_u64()?, u8::try_from(pair[1].as_u64()?).ok()?));
        }
        choices.memory.insert((birth, count), bytes);
    }
    for row in value["addresses"].as_array()? {
        let (birth, count) = (parse_birth(&row[0], program)?, row[1].as_u64()?);
        choices.addresses.choose(birth, count, row[2].as_u64()?);
    }
    Some(choices)
}

/// A value as the bytes that it has in memory.
fn bytes(value: &InputValue) -> Vec<u8> {
    match value {
        InputValue::Bool(value) => vec![u8::from(*value)],
        InputValue::Int(bits) => bits.to_le_bytes(),
        InputValue::Float(float) => float.bits().to_le_bytes(),
        InputValue::Bytes(bytes) => bytes.clone(),
    }
}

fn print_birth(birth: Birth, program: &Program) -> Value {
    match birth {
        Birth::Variable(symbol) => json!(["variable", program.symbols[symbol].name]),
        Birth::Static(symbol) => json!(["static", program.symbols[symbol].name]),
        Birth::Function(function) => json!(["function", program.functions[function].name]),
        Birth::Allocation => json!(["allocation", ""]),
        Birth::Outside => json!(["outside", ""]),
    }
}

fn parse_birth(value: &Value, program: &Program) -> Option<Birth> {
    let name = value[1].as_str()?;
    let symbol = || -> Option<SymbolId> {
        let at = program.symbols.values().position(|symbol| symbol.name == name)?;
        Some(SymbolId::new(at))
    };
    Some(match value[0].as_str()? {
        "variable" => Birth::Variable(symbol()?),
        "static" => Birth::Static(symbol()?),
        "function" => {
            let at = program.functions.values().position(|function| function.name == name)?;
            Birth::Function(FunctionId::new(at))
        }
        "allocation" => Birth::Allocation,
        "outside" => Birth::Outside,
        _ => return None,
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.chunks(2).map(byte).collect()
}
