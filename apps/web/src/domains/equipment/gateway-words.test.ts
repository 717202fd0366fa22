import { expect, test } from 'vitest'
import { publishExample } from './gateway-words.ts'

test('a fixed password is the secret itself', () => {
  const text = publishExample({ id: 'g1', connectionType: 'mqttPlain' }, 'abc', 'site.example', 'TC1', { mqtt: 21_883, broker: null })
  expect(text).toContain("-P 'abc'")
  expect(text).toContain('-h site.example -p 21883 ')
  expect(text).toContain("-i 'gw:g1' -u 'g1'")
  expect(text).toContain("'site/v1/up/g1/TC1/telemetry'")
  expect(text).not.toContain('openssl')
})

test('a signed password is made of client id and time', () => {
  const text = publishExample({ id: 'g1', connectionType: 'mqtt' }, 'abc', 'site.example', 'TC1', { mqtt: 21_883, broker: null })
  expect(text).toContain(`"gw:g1|$T" | openssl dgst -sha256 -hmac 'abc'`)
  expect(text).toContain('-P "$S|$T"')
})

test('the message is the sample of the family, sent with the present time', () => {
  const sample = '{"time":1782864000000,"seq":1,"data":{"activeEnergy":12.5,"meterNo":"A$1"}}'
  const text = publishExample({ id: 'g1', connectionType: 'mqttPlain' }, 'abc', 'site.example', 'EM1', { mqtt: 1883, broker: null }, sample)
  expect(text).toContain('-m "{\\"time\\":$(date +%s%3N),\\"seq\\":1,\\"data\\":{\\"activeEnergy\\":12.5,\\"meterNo\\":\\"A\\$1\\"}}"')
  expect(text).not.toContain('windSpeed')
})

test('an external broker is named with its own host and account', () => {
  const broker = { host: 'broker.example', port: 8883, tls: true }
  const text = publishExample({ id: 'g1', connectionType: 'mqtt' }, 'abc', 'site.example', 'TC1', { mqtt: 1883, broker })
  expect(text).toContain('-h broker.example -p 8883 --tls-use-os-certs ')
  expect(text).toContain("-u '消息服务器账号' -P '消息服务器口令'")
  expect(text).not.toMatch(/openssl|abc|1883 /)
})
