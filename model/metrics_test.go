package model

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

func TestSpread(t *testing.T) {
	var s Spread
	if s.Average() != 0 {
		t.Error("an average of nothing")
	}
	for _, d := range []Millis{30, 10, 21} {
		s.Add(d)
	}
	if s != (Spread{Known: 3, Total: 61, Min: 10, Max: 30}) || s.Average() != 20 {
		t.Errorf("%+v, average %d", s, s.Average())
	}
	if s.Add(0); s.Min != 0 || s.Average() != 15 { // 61 / 4
		t.Errorf("%+v, average %d", s, s.Average())
	}
	half := Spread{Known: 2, Total: 31}
	if half.Average() != 16 {
		t.Errorf("31 / 2 is %d", half.Average())
	}
	var far Spread
	for range 100 {
		far.Add(math.MaxInt64)
	}
	if far.Add(-5); far.Total < 0 || far.Average() < 0 || far.Min != 0 {
		t.Errorf("%+v", far)
	}
	if d := Millis(math.MaxInt64).Duration(); d <= 0 {
		t.Error(d)
	}
}

func TestMetrics(t *testing.T) {
	at := func(day, hour int) time.Time { return time.Date(2026, 1, day, hour, 0, 0, 0, time.UTC) }
	east := time.FixedZone("", 3*3600)
	m := NewMetrics([]Attempt{
		{At: at(25, 10), Phase: "p1", Plan: "a", Task: "a1", Outcome: OutcomeFailure, Number: 1, Took: 10, Timed: true, Files: 2},
		{At: at(25, 22), Phase: "p1", Plan: "a", Task: "a1", Outcome: OutcomeSuccess, Number: 2, Took: 30, Timed: true, Files: 1}, // the 26th there
		{At: at(26, 10), Phase: "p1", Plan: "b", Task: "b1", Outcome: OutcomeBlocked, Files: -1},
		{Outcome: OutcomeSuccess}, // no known plan, and no time
	}, []Finish{{Plan: "a", On: "2026-01-26", Took: 5, Timed: true}, {Plan: "b"}}, east)
	if m.All != (Tally{Executed: 4, Succeeded: 2, Failed: 1, Blocked: 1, Retries: 1, Files: 3, Time: Spread{Known: 2, Total: 40, Min: 10, Max: 30}}) || m.All.Rate() != (Count{2, 4}) {
		t.Errorf("%+v", m.All)
	}
	var got []string
	for _, list := range [][]Measure{m.Phases, m.Plans, m.Tasks} {
		for _, x := range list {
			got = append(got, fmt.Sprint(x.Node, x.Executed))
		}
	}
	for _, d := range m.Days {
		got = append(got, fmt.Sprint(d.Date, " ", d.Executed, " ", d.Plans))
	}
	if s := strings.Join(got, ", "); s != "p13, a2, b1, a12, b11, 2026-01-25 1 0, 2026-01-26 2 1" {
		t.Error(s)
	}
	if m.PlansDone != 2 || m.PlanTime.Known != 1 || len(m.Recent) != 1 || m.Trend != TrendUnknown {
		t.Errorf("%+v", m)
	}
	text, err := json.Marshal(m.Plans[0])
	if err != nil || string(text) != `{"node":"a","executed":2,"succeeded":1,"failed":1,"blocked":0,"retries":1,"files":3,"time":{"known":2,"total_ms":40,"min_ms":10,"max_ms":30}}` {
		t.Errorf("%s, %v", text, err)
	}
}

func TestMetricsKeepTheLastFivePlans(t *testing.T) {
	var finished []Finish
	for i := range 9 {
		finished = append(finished, Finish{Took: Millis(100 - i), Timed: true})
	}
	m := NewMetrics(nil, finished, time.UTC)
	if fmt.Sprint(m.Recent) != "[96 95 94 93 92]" || m.Trend != TrendImproving || m.PlanTime.Known != 9 {
		t.Errorf("%+v", m)
	}
}
