-- For wrk: sends syncs of many phones in rotation, each with a lock and an unlock, and prints a line of JSON.
-- wrk -s sync.lua URL -- FILE FIRST BEGAN STEP
-- Each line of the file has an Authorization and a device, separated by a tab. The events of a phone are numbered from FIRST on, and
-- the first lies at the second BEGAN since 1970; from one sync to the next pass STEP seconds.

local people, turn = {}, {}
local thread, first, began, step
sent, strays = 0, 0

function setup(only)
    thread = only
end

function init(arguments)
    first, began, step = tonumber(arguments[2]), tonumber(arguments[3]), tonumber(arguments[4])
    for line in io.lines(arguments[1]) do
        local authorization, device = line:match("^(.-)\t(.*)$")
        people[#people + 1] = { authorization = authorization, device = device }
        turn[#people] = 0
    end
end

local function timestamp(seconds)
    return os.date("!%Y-%m-%dT%H:%M:%SZ", seconds)
end

local event = '{"seq":%d,"kind":"%s","source":"automatic","at":"%s"}'

function request()
    local index = sent % #people + 1
    local person, past = people[index], turn[index]
    sent, turn[index] = sent + 1, past + 1
    local seq, at = first + 2 * past, began + step * past
    local body = string.format(
        '{"device_id":"%s","client_time":"%s","events":[%s,%s]}', person.device, timestamp(os.time()),
        event:format(seq, "lock", timestamp(at)), event:format(seq + 1, "unlock", timestamp(at + 70)))
    return wrk.format("POST", "/v1/focus/sync",
        { ["Authorization"] = person.authorization, ["Content-Type"] = "application/json" }, body)
end

function response(status)
    if status ~= 200 then strays = strays + 1 end
end

function done(summary, latency)
    local errors = summary.errors
    print(string.format('{"sent": %d, "answered": %d, "strays": %d, "seconds": %.6f, "broken": %d}',
        thread:get("sent"), summary.requests, thread:get("strays"), summary.duration / 1e6,
        errors.connect + errors.read + errors.write + errors.timeout))
end
