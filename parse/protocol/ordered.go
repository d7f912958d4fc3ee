package protocol

import (
	"encoding/json"

	"gatehouse/parse/doc"
)

// Ordered is a JSON object whose members keep their order.
type Ordered[T any] struct {
	names  []string
	values []T
}

// Add adds a member.
func (o *Ordered[T]) Add(name string, value T) {
	o.names, o.values = append(o.names, name), append(o.values, value)
}

// MarshalJSON implements [json.Marshaler].
func (o Ordered[T]) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, name := range o.names {
		value, err := json.Marshal(o.values[i])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, doc.QuoteJSON(name)...), ':'), value...)
	}
	return append(b, '}'), nil
}
