import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** A protocol is its folder, one line in `extensions.ts` and its catalogue entry: other code loops over the catalogue. */
const protocol = { name: /hj212/i, folder: 'apps/server/src/domains/telemetry/hj212/' }

/** Files outside the folder that may name the protocol, each with its reason. */
const allowed: Readonly<Record<string, string>> = {
  'packages/contract/src/protocols/hj212.ts': 'its catalogue entry',
  'packages/contract/src/protocols/catalogue.ts': 'its line in the catalogue',
  'packages/contract/src/telemetry/families.ts': 'type of the device data, which holds the codes of metrics',
  'apps/server/src/domains/telemetry/extensions.ts': 'its line in the ingest',
  'apps/server/src/domains/equipment/station-store.ts': 'reads its table hj212_station for the pages of stations',
  'apps/server/src/domains/equipment/station-update.ts': 'writes its table hj212_station for the pages of stations',
  'apps/web/src/domains/equipment/access-fields.tsx': 'its settings in the device form',
  'apps/web/src/domains/equipment/station-commands.tsx': 'sends its commands from the page of a station',
  'apps/web/src/domains/equipment/station-list-page.tsx': 'sends its commands from the list of stations',
}

const root = join(import.meta.dirname, '../../..')
const product = globSync('{apps/{server,web},packages/contract}/src/**/*.{ts,tsx}', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/(\.test|\.fixtures|-for-test)\.tsx?$|^apps\/server\/src\/demo\//.test(path))

/** Constants may be imported from the catalogue entry, so import lines do not count. */
const names = (text: string) => text.split('\n').some((line) => protocol.name.test(line) && !/\bfrom '/.test(line))

test('no product file outside its folder and its catalogue entry names the protocol', () => {
  expect(product.length).toBeGreaterThan(1_000)
  const naming = product.filter((path) => !path.startsWith(protocol.folder) && names(readFileSync(join(root, path), 'utf8')))
  expect(naming.sort()).toEqual(Object.keys(allowed).sort())
})
