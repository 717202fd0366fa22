import { expect, test } from 'vitest'
import { publishExample } from './gateway-words.ts'

test('a fixed password is the secret itself', () => {
  const text = publishExample({ id: 'g1', connectionType: 'mqttPlain' }, 'abc', 'site.example', 'TC1', 21_883)
  expect(text).toContain("-P 'abc'")
  expect(text).toContain('-h site.example -p 21883 ')
  expect(text).toContain("-i 'gw:g1' -u 'g1'")
  expect(text).toContain("'site/v1/up/g1/TC1/telemetry'")
  expect(text).not.toContain('openssl')
})

test('a signed password is made of client id and time', () => {
  const text = publishExample({ id: 'g1', connectionType: 'mqtt' }, 'abc', 'site.example', 'TC1', 21_883)
  expect(text).toContain(`"gw:g1|$T" | openssl dgst -sha256 -hmac 'abc'`)
  expect(text).toContain('-P "$S|$T"')
})
