import { maskPhone } from '@zhugong/contract/kit/checks'
import type { City } from '@zhugong/simulator/city-types'
import type { Secrets } from '#kit/secret'

/** Input for the rows of the invented city. */
export interface Given {
  city: City
  secrets: Secrets
}

export const phoneOf = (secrets: Secrets, text: string | null) => ({ sealed: secrets.seal(text), mask: text ? maskPhone(text) : null })
export const shanghai = (text: string) => new Date(`${text.replace(' ', 'T')}${text.length === 10 ? 'T00:00:00' : ''}+08:00`)
export const json = (value: unknown) => JSON.stringify(value ?? [])
