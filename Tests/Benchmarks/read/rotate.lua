-- For wrk: sends the requests of a file in rotation and prints a line of JSON.
-- wrk -s rotate.lua URL -- FILE STATUS
-- Each line of the file has a path, an Authorization and an If-None-Match, separated by tabs; "-" stands for no header.

local requests = {}
local thread
local expected
sent, strays = 0, 0

function setup(only)
    thread = only
end

function init(arguments)
    expected = tonumber(arguments[2])
    for line in io.lines(arguments[1]) do
        local path, authorization, tag = line:match("^(.-)\t(.-)\t(.*)$")
        local headers = {}
        if authorization ~= "-" then headers["Authorization"] = authorization end
        if tag ~= "-" then headers["If-None-Match"] = tag end
        requests[#requests + 1] = wrk.format("GET", path, headers)
    end
end

function request()
    sent = sent + 1
    return requests[sent % #requests + 1]
end

function response(status)
    if status ~= expected then strays = strays + 1 end
end

function done(summary)
    local errors = summary.errors
    -- wrk itself makes the first request to look at it, and does not send that one.
    print(string.format(
        '{"sent": %d, "answered": %d, "strays": %d, "seconds": %.6f, "broken": %d}', thread:get("sent") - 1,
        summary.requests, thread:get("strays"), summary.duration / 1e6,
        errors.connect + errors.read + errors.write + errors.timeout))
end
