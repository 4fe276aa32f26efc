-- For wrk: feeds the pets of the people of a file, each time under a new key, and prints a line of JSON.
-- wrk -s feeds.lua URL -- FILE SEED
-- Each line of the file is an Authorization.

local people = {}
local thread
local seed
sent, strays = 0, 0

function setup(only)
    thread = only
end

function init(arguments)
    seed = arguments[2]
    for line in io.lines(arguments[1]) do people[#people + 1] = line end
    math.randomseed(os.time())
end

function request()
    sent = sent + 1
    return wrk.format("POST", "/v1/companion/pet/feed", {
        ["Authorization"] = people[math.random(#people)], ["Content-Type"] = "application/json",
        ["Idempotency-Key"] = seed .. "-" .. sent,
    }, '{"item_id": "dinner"}')
end

function response(status)
    if status ~= 200 then strays = strays + 1 end
end

function done(summary)
    local errors = summary.errors
    print(string.format(
        '{"answered": %d, "strays": %d, "seconds": %.6f, "broken": %d}', summary.requests, thread:get("strays"),
        summary.duration / 1e6, errors.connect + errors.read + errors.write + errors.timeout))
end
