package line

import "testing"

func TestAmounts(t *testing.T) {
	for a, want := range map[Amount]string{0: "0", 7: "7", 1e9: "1000000000", 2.5: "2.5", 0.5: "0.5", 3.125: "3.125", 0.1 + 0.2: "0.3", 1.0000001: "1", 1.9999999: "2", 2.05: "2.05"} {
		if got := a.Text(); got != want {
			t.Errorf("%v is %s, not %s", float64(a), got, want)
		}
	}
}
