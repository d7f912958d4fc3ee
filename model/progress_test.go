package model

import (
	"testing"
)

func TestFloorIsFullOnlyWhenAllIsDone(t *testing.T) {
	for total := 1; total < 400; total++ {
		for done := range total {
			if got := (Count{done, total}).Floor(); got > 99 || got*total > done*100 || (got+1)*total <= done*100 {
				t.Fatalf("%d of %d are %d %%", done, total, got)
			}
		}
	}
}
