package link

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestDownOncePerReason: each attempt to connect fails, and only another reason is told.
func TestDownOncePerReason(t *testing.T) {
	var told []string
	up, down := onChange(func() { told = append(told, "up") }, func(why error) { told = append(told, why.Error()) })
	for _, why := range []string{"refused", "refused", "no route", "refused", ""} {
		if why == "" {
			up()
			continue
		}
		down(errors.New(why))
	}
	down(errors.New("refused"))
	down(errors.New("refused"))
	if want := []string{"refused", "no route", "refused", "up", "refused"}; !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}

// TestAgain: what fails is tried after one, two, four, four of the times, until it succeeds.
func TestAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, at := time.Now(), []time.Duration{}
		again(t.Context(), time.Second, 4*time.Second, func() error {
			if at = append(at, time.Since(start)); len(at) < 4 {
				return errors.New("no leader")
			}
			return nil
		})
		if want := []time.Duration{time.Second, 3 * time.Second, 7 * time.Second, 11 * time.Second}; !slices.Equal(at, want) {
			t.Errorf("%v, want %v", at, want)
		}
	})
}
