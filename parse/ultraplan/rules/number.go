// The numbers of phases and plans: "2.5" and "02.5" are one phase, "3-1" and "03-01" one plan.

package rules

import (
	"cmp"

	"gatehouse/parse/text/scan"
)

// SplitPlan splits the number of a plan into those of its phase and its own: "02.5-01" into "02.5" and "01".
func SplitPlan(id string) (phase, plan string) {
	for i := len(id) - 1; i >= 0; i-- {
		if id[i] == '-' {
			return id[:i], id[i+1:]
		}
	}
	return "", id
}

// CompareNumbers orders dotted numbers part by part, leading zeros left aside: 2, 02.5, 3, 10.
func CompareNumbers(a, b string) int {
	for i, j := 0, 0; ; {
		x, iEnd := scan.Digits(a, i)
		y, jEnd := scan.Digits(b, j)
		x, y = TrimZeros(x), TrimZeros(y)
		switch {
		case len(x) != len(y):
			return len(x) - len(y)
		case x < y:
			return -1
		case x > y:
			return 1
		}
		i, j = iEnd+1, jEnd+1
		switch {
		case i >= len(a) && j >= len(b):
			return 0
		case i >= len(a):
			return -1
		case j >= len(b):
			return 1
		}
	}
}

// TrimZeros returns a number without leading zeros: "3" of "03", "2.5" of "02.5", "0" of "00".
func TrimZeros(number string) string {
	for len(number) > 1 && number[0] == '0' && number[1] >= '0' && number[1] <= '9' {
		number = number[1:]
	}
	return number
}

// SamePlan reports whether two numbers of plans mean the same, "3-1" and "03-01"; one without a phase is of the phase
// given.
func SamePlan(a, b, phase string) bool {
	pa, na := SplitPlan(a)
	pb, nb := SplitPlan(b)
	if pa == "" {
		pa = phase
	}
	if pb == "" {
		pb = phase
	}
	return CompareNumbers(na, nb) == 0 && CompareNumbers(pa, pb) == 0
}

// comparePlans orders plans by the numbers of their phases, then by their own; of equal ones by how they are written.
func comparePlans(a, b string) int {
	pa, na := SplitPlan(a)
	pb, nb := SplitPlan(b)
	return cmp.Or(CompareNumbers(pa, pb), CompareNumbers(na, nb), cmp.Compare(a, b))
}
