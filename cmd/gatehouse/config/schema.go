package config

import "encoding/json"

// schemaDialect is the version of JSON Schema.
const schemaDialect = "https://json-schema.org/draft/2020-12/schema"

// Schema returns the JSON Schema of the file, for editors.
func Schema(settings []Setting) []byte {
	root := objectSchema("The configuration of gatehouse: all may be left out.")
	root["$schema"] = schemaDialect
	top := root["properties"].(map[string]any)
	for i := range settings {
		s := &settings[i]
		section, name := s.Section()
		in := top
		if section != "" {
			if top[section] == nil {
				top[section] = objectSchema("")
			}
			in = top[section].(map[string]any)["properties"].(map[string]any)
		}
		in[name] = s.valueSchema()
	}
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // can't happen: the schema has only maps and texts
	}
	return append(text, '\n')
}

func objectSchema(words string) map[string]any {
	o := map[string]any{"type": "object", "additionalProperties": false, "properties": map[string]any{}}
	if words != "" {
		o["description"] = words
	}
	return o
}

func (s *Setting) valueSchema() map[string]any {
	text := map[string]any{"type": []string{"string", "number"}} // 1 is a number in YAML, and may be a key binding
	if s.Values != nil {
		text = map[string]any{"enum": s.Values}
	}
	value := map[string]any{"description": s.Words}
	if s.Kind == Truth {
		value["type"], value["default"] = "boolean", s.Default[0] == "true"
		return value
	}
	if s.Kind == Texts {
		value["anyOf"] = []any{text, map[string]any{"type": "array", "items": text}}
		value["default"] = append([]string{}, s.Default...)
		return value
	}
	for k, v := range text {
		value[k] = v
	}
	if len(s.Default) == 1 {
		value["default"] = s.Default[0]
	}
	return value
}
