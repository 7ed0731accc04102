-- A session in Neovim, from its own language client: open, edit, diagnostics, code lens, verification with progress, hover,
-- inlay hints, definition, code actions applied, cancellation. The test starts `nvim --headless` with it.
local vergo, buggy, endless = vim.env.VERGO, vim.env.BUGGY, vim.env.ENDLESS

local function finish(status, message)
  io.stdout:write(message .. '\n')
  io.stdout:flush()
  vim.cmd(status == 0 and 'qall!' or 'cquit 1')
end
local function check(what, holds, seen)
  if not holds then
    finish(1, 'failed: ' .. what .. ': ' .. vim.inspect(seen))
    error(what)
  end
  io.stdout:write('ok: ' .. what .. '\n')
end
local function wait(what, ready, seen)
  local done = vim.wait(60000, ready, 20)
  check(what, done, seen and seen())
end

-- What the server says of its work.
local progress = {}
local shown = vim.lsp.handlers['$/progress']
vim.lsp.handlers['$/progress'] = function(failure, result, context, config)
  table.insert(progress, result)
  return shown(failure, result, context, config)
end
local function heard(kind)
  for i = #progress, 1, -1 do
    if progress[i].value.kind == kind then return progress[i] end
  end
end
-- Where there is a choice, the entry with these words is taken.
local wanted
vim.ui.select = function(items, options, choose)
  for i, item in ipairs(items) do
    local text = options.format_item and options.format_item(item) or tostring(item)
    if text:find(wanted, 1, true) then return choose(item, i) end
  end
  choose(nil)
end

vim.o.swapfile = false
vim.cmd('edit ' .. buggy)
local client_id = vim.lsp.start_client({
  name = 'vergo',
  cmd = { vergo, 'lsp' },
  root_dir = vim.fn.getcwd(),
  init_options = { trusted = true, timeout = 60, verifyOnSave = true },
})
check('the server starts', client_id, client_id)
vim.lsp.buf_attach_client(0, client_id)
local client = vim.lsp.get_client_by_id(client_id)
wait('the server answers', function() return client.server_capabilities and client.server_capabilities.hoverProvider end)
local function at(line, column) vim.api.nvim_win_set_cursor(0, { line, column }) end
local function line(n) return vim.api.nvim_buf_get_lines(0, n - 1, n, false)[1] end
local function ask(method, params)
  params = vim.tbl_extend('force', { textDocument = vim.lsp.util.make_text_document_params() }, params or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
  return answers and answers[client_id] and answers[client_id].result
end
local function diagnostics(severity) return vim.diagnostic.get(0, { severity = severity }) end

-- A mistake is shown while it is there.
at(9, 0)
vim.api.nvim_buf_set_text(0, 8, 12, 8, 22, { 'undeclared' })
wait('a mistake is shown', function() return #vim.diagnostic.get(0) == 1 end, function() return vim.diagnostic.get(0) end)
check('where it is', vim.diagnostic.get(0)[1].lnum == 8, vim.diagnostic.get(0))
vim.cmd('undo')
wait('and goes when it is undone', function() return #vim.diagnostic.get(0) == 0 end)

-- Hover, in the window that Neovim makes for it; the definition, where the cursor then stands.
at(10, 36)
vim.lsp.buf.hover()
local function hover()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
    end
  end
end
wait('hover opens', hover)
check('hover has type and offset', hover():find('int value', 1, true) and hover():find('at offset 4', 1, true), hover())
at(10, 28)
vim.lsp.buf.definition()
wait('definition jumps', function() return vim.api.nvim_win_get_cursor(0)[1] == 4 end)

-- A lens verifies the program.
vim.lsp.codelens.refresh()
wait('lenses are there', function() return #vim.lsp.codelens.get(0) >= 4 end, function() return vim.lsp.codelens.get(0) end)
at(5, 0)
wanted = 'Verify the program'
vim.lsp.codelens.run()
wait('a lens begins a verification', function() return heard('begin') end)
wait('which ends', function() return heard('end') end)
check('with a verdict', heard('end').value.message:find('false(memory.', 1, true), heard('end'))
wait('shown as an error', function() return #diagnostics(vim.diagnostic.severity.ERROR) > 0 end)
local found = diagnostics(vim.diagnostic.severity.ERROR)
check('at its place', found[1].lnum == 11, found)
local related = found[1].user_data and found[1].user_data.lsp and found[1].user_data.lsp.relatedInformation
check('with the way to it', related and #related > 0, found[1])
vim.lsp.codelens.refresh()
wait('a lens has the verdict', function()
  for _, lens in ipairs(vim.lsp.codelens.get(0)) do
    if lens.command and lens.command.title:find('violated', 1, true) then return true end
  end
end, function() return vim.lsp.codelens.get(0) end)

-- Values along the counterexample.
local hints = ask('textDocument/inlayHint', {
  range = { start = { line = 0, character = 0 }, ['end'] = { line = 99, character = 0 } },
})
local values = vim.tbl_map(function(hint) return hint.label end, hints or {})
check('inlay hints', table.concat(values, '|'):find('i = 4', 1, true), hints)

-- Coverage by a lens.
wanted = 'Cover'
at(5, 0)
progress = {}
vim.lsp.codelens.run()
wait('coverage is decided', function() return heard('end') end)
check('by tests', heard('end').value.message:find('covered', 1, true), heard('end'))

-- Actions: a test is written, and an assumption mends the program.
at(12, 4)
-- Neovim before 0.8 makes no folder for a new file.
vim.fn.mkdir(vim.fn.fnamemodify(buggy, ':r') .. '-vergo-test', 'p')
wanted = 'Write a test that fails here'
vim.lsp.buf.code_action()
wait('a test is written', function() return vim.fn.bufnr('harness.c') > 0 end)
vim.cmd('buffer ' .. vim.fn.fnameescape(buggy))
at(12, 4)
wanted = 'Assume that this does not happen'
vim.lsp.buf.code_action()
local function has(text)
  for _, one in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    if one:find(text, 1, true) then return true end
  end
end
wait('an assumption is added', function() return has('__VERIFIER_assume(') end, function() return line(12) end)
progress = {}
vim.cmd('silent write')
wait('saving verifies', function() return heard('end') end)
check('and finds nothing', heard('end').value.message == 'true', heard('end'))
wait('so that the violation is gone', function() return #diagnostics(vim.diagnostic.severity.ERROR) == 0 end, diagnostics)

-- A verification without end is cancelled.
vim.cmd('silent edit ' .. endless)
vim.lsp.buf_attach_client(0, client_id)
progress = {}
client.request('workspace/executeCommand', {
  command = 'vergo.verify',
  arguments = { { uri = vim.uri_from_bufnr(0) } },
}, function() end, 0)
wait('progress is told', function() return heard('report') end)
local start = vim.loop.hrtime()
client.notify('window/workDoneProgress/cancel', { token = heard('report').token })
wait('it ends', function() return heard('end') end)
local seconds = (vim.loop.hrtime() - start) / 1e9
check('cancelled', heard('end').value.message == 'cancelled', heard('end'))
-- A second on a quiet machine; one under load is given time.
check('soon', seconds < 5, seconds)
io.stdout:write(string.format('cancelled after %.3f s\n', seconds))

client.stop()
finish(0, 'done')
