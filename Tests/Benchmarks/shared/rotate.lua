-- For wrk: sends the requests of a file in rotation and prints a line of JSON.
-- wrk -s rotate.lua URL -- FILE STATUS
-- Each line of the file has a path, an Authorization, an If-None-Match and a body, separated by tabs; "-" stands for none of
-- them. A request with a body is a POST of JSON.

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
        local path, authorization, tag, body = line:match("^(.-)\t(.-)\t(.-)\t(.*)$")
        local method, headers = "GET", {}
        if authorization ~= "-" then headers["Authorization"] = authorization end
        if tag ~= "-" then headers["If-None-Match"] = tag end
        if body == "-" then
            body = nil
        else
            method, headers["Content-Type"] = "POST", "application/json"
        end
        requests[#requests + 1] = wrk.format(method, path, headers, body)
    end
end

function request()
    sent = sent + 1
    return requests[sent % #requests + 1]
end

function response(status)
    if status ~= expected then strays = strays + 1 end
end

function done(summary, latency)
    local errors = summary.errors
    -- wrk itself makes the first request to look at it, and does not send that one.
    print(string.format(
        '{"sent": %d, "answered": %d, "strays": %d, "seconds": %.6f, "broken": %d, "p50_ms": %.3f, "p99_ms": %.3f}',
        thread:get("sent") - 1, summary.requests, thread:get("strays"), summary.duration / 1e6,
        errors.connect + errors.read + errors.write + errors.timeout,
        latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
