package model

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/conformance"
)

// TestValues checks the rows of testdata/values.txt.
func TestValues(t *testing.T) {
	text, err := os.ReadFile("testdata/values.txt")
	if err != nil {
		t.Fatal(err)
	}
	for row := range strings.Lines(string(text)) {
		row, _, _ = strings.Cut(row, "#")
		call, want, ok := strings.Cut(strings.TrimSpace(row), " = ")
		if !ok {
			continue
		}
		words := strings.Fields(call)
		if got := valueOf(t, words[0], words[1:]); got != want {
			t.Errorf("%s: %s, want %s", call, got, want)
		}
	}
}

// valueOf calls a function with the arguments of a row.
func valueOf(t *testing.T, function string, args []string) string {
	var numbers []int
	for _, a := range args {
		n, _ := strconv.Atoi(a)
		numbers = append(numbers, n)
	}
	switch function {
	case "rollup":
		var parts []Status
		for _, a := range args {
			s, ok := ParseStatus(a)
			if !ok {
				t.Fatalf("no status %q", a)
			}
			parts = append(parts, s)
		}
		return RollUp(parts).String()
	case "count":
		c := Count{numbers[0], numbers[1]}
		return fmt.Sprint(c.Floor(), " ", c.Round())
	case "age":
		d, err := time.ParseDuration(args[0])
		if err != nil {
			t.Fatal(err)
		}
		return Age(d)
	case "trend":
		var durations []Millis
		for _, n := range numbers[1:] {
			durations = append(durations, Millis(n))
		}
		return string(TrendIn(durations, numbers[0]))
	}
	t.Fatalf("no function %q", function)
	return ""
}

func TestDifferences(t *testing.T) {
	conformance.OwnRows(t, "differences.jsonl", func(t *testing.T, r struct {
		Before, Now Proposal
		Difference  Difference
	}) {
		if got := Differences(&r.Before, &r.Now); len(got) != 1 || got[0] != r.Difference {
			t.Errorf("%+v, want %+v", got, r.Difference)
		}
		if got := Differences(&r.Now, &r.Now); len(got) > 0 {
			t.Errorf("%+v between a proposal and itself", got)
		}
	})
}

func TestFloorIsFullOnlyWhenAllIsDone(t *testing.T) {
	for total := 1; total < 400; total++ {
		for done := range total {
			if got := (Count{done, total}).Floor(); got > 99 || got*total > done*100 || (got+1)*total <= done*100 {
				t.Fatalf("%d of %d are %d %%", done, total, got)
			}
		}
	}
}
