import { z } from 'zod'

interface FormFacts {
  required: string[]
  dictionaries: Record<string, string>
}

/** Describes a form from the schema of its body: required fields, and the dictionary of each field that has one. */
export function formFacts(body: z.ZodType): FormFacts {
  const { properties = {}, required = [] } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  const dictionaries = Object.entries(properties).flatMap(([field, schema]) => {
    const dictionary = dictionaryIn(schema)
    return dictionary ? [[field, dictionary]] : []
  })
  return { required, dictionaries: Object.fromEntries(dictionaries) }
}

/** The dictionary is set on the innermost schema, below optional and array wrappers. */
function dictionaryIn(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  const { dictionary, anyOf, allOf, items } = schema as Record<string, unknown>
  if (typeof dictionary === 'string') return dictionary
  for (const inner of [...(Array.isArray(anyOf) ? anyOf : []), ...(Array.isArray(allOf) ? allOf : []), items]) {
    const found = dictionaryIn(inner)
    if (found) return found
  }
  return undefined
}
