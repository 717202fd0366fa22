import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, inject, test } from 'vitest'
import { databaseUrl } from './world.ts'

/**
 * A table belongs to the domain whose tables.ts declares it, and that domain alone writes it: whoever reads a domain knows all that
 * changes its rows. What is written across that line stands below with the reason.
 */
const domains = join(import.meta.dirname, '../src/domains')

/** Tables no tables.ts declares, because only SQL of one's own speaks of them. */
const undeclared: Readonly<Record<string, string>> = {
  ai_review: 'monitoring',
  alarm_drill: 'rules',
  alarm_outbox: 'alarms',
  audit_chain: 'access',
  brand: 'equipment',
  camera_ai: 'monitoring',
  brand_merge: 'equipment',
  crane_zone: 'monitoring',
  cycle_watch: 'monitoring',
  device_command: 'telemetry',
  open_claim: 'equipment',
  device_day: 'equipment',
  device_due: 'equipment',
  device_frame: 'telemetry',
  device_move: 'equipment',
  device_origin: 'telemetry',
  device_repair: 'equipment',
  device_suppress: 'alarms',
  site_notice: 'alarms',
  site_notice_step: 'alarms',
  todo_snooze: 'home',
  lift_test: 'monitoring',
  lift_stop: 'monitoring',
  point_change: 'monitoring',
  pour_advice: 'monitoring',
  pile_work: 'monitoring',
  pile_trouble: 'monitoring',
  platform_move: 'monitoring',
  alarm_reading: 'monitoring',
  exceed_cause: 'monitoring',
  alarm_finding: 'monitoring',
  night_permit: 'monitoring',
  device_warning: 'telemetry',
  due_setting: 'equipment',
  equipment_change: 'equipment',
  exec_log: 'notify',
  external_device: 'equipment',
  factory: 'equipment',
  gate_face: 'equipment',
  gate_push: 'telemetry',
  gateway3rd: 'equipment',
  gateway3rd_run: 'equipment',
  helmet_broadcast: 'monitoring',
  helmet_forgotten: 'monitoring',
  helmet_setting: 'monitoring',
  hj212_station: 'telemetry',
  jt808_registration: 'telemetry',
  jt808_terminal: 'telemetry',
  known_address: 'identity',
  linkage_block: 'linkage',
  linkage_run: 'linkage',
  linkage_run_alarm: 'linkage',
  login_failure: 'identity',
  login_try: 'identity',
  machine_camera: 'telemetry',
  message: 'notify',
  migration: 'kit',
  model: 'equipment',
  notice_group: 'notify',
  notice_watch: 'notify',
  offline_note: 'telemetry',
  permission_version: 'access',
  pile: 'monitoring',
  pile_run: 'monitoring',
  pile_test: 'monitoring',
  pile_verdict: 'monitoring',
  pit_stage: 'monitoring',
  pit_survey: 'monitoring',
  poll_device: 'equipment',
  poll_gateway: 'equipment',
  pour_step: 'monitoring',
  passage_pair: 'monitoring',
  record_fix: 'monitoring',
  record_fix_log: 'monitoring',
  rule_exec: 'rules',
  rule_level: 'rules',
  rule_template: 'rules',
  rule_trigger_version: 'rules',
  spray_plan: 'linkage',
  spray_plan_run: 'linkage',
  upload_use: 'files',
  meter_month: 'monitoring',
  meter_price: 'monitoring',
  meter_entry: 'monitoring',
  weigh_check: 'monitoring',
  vehicle_fence: 'monitoring',
  vehicle_registry: 'monitoring',
  video_hold: 'monitoring',
  video_talk: 'monitoring',
  video_mark: 'monitoring',
  video_wall: 'monitoring',
  video_patrol: 'monitoring',
  video_view: 'monitoring',
}

/** `domain > table`: why the domain writes a neighbour's table. One that is not needed any more fails. */
const across: Readonly<Record<string, string>> = {
  'access > login_try': 'whoever keeps accounts lets somebody in again who was held back at the door',
  'access > session': 'whose rights end or whose group changes: the session follows in the same transaction',
  'attendance > project': 'the rule of attendance in force stands with the project; projects stand above attendance, so it cannot ask them',
  'docking > project': 'whether it has arrived above stands with the project, as its own pages show it',
  'docking > project_worker': 'the same of a stay',
  'equipment > alarm':
    'a machine that leaves ends its alarms, in the transaction of its leaving; alarms stand above machines, so it cannot ask them',
  'equipment > alarm_log': 'the same step, told in the log of the alarm',
  'equipment > rule_state': 'a machine that leaves or gets another model starts its rules anew',
  'equipment > hj212_station': 'what a station is set to by hand, beside what it says of itself',
  'equipment > jt808_registration': 'the window in which a terminal may register is opened by whoever keeps the machine',
  'identity > app_user': 'a password, a last log-in: the person’s own part of his account',
  'identity > member': 'the default among one’s own groups',
  'labour > corporation':
    'a company found nowhere is entered in short with its first part; organisation stands above labour, so it cannot be asked',
  'linkage > device_record': 'what was commanded is a record of the machine',
  'linkage > exec_log': 'runs are told of in the log of actions',
  'monitoring > device_record': 'cycles of a machine are worked out of its readings and are records of it',
  'monitoring > setting': 'the account of the video platform',
  'notify > device_due': 'marks that it was told of',
  'notify > device_warning': 'marks that it was told of',
  'settings > setting': 'the profile of the deployment',
  'equipment > audit_log': 'what an application changes has no session and is written with the change',
  'labour > message': 'who has a person and he himself hear that somebody else entered him, in the step of the entry',
  'workflow > message': 'who is asked to decide is told; whatever notify watches stands above approvals, so it cannot be asked',
  'telemetry > device': 'a secret or an interval it was commanded to take is in force once it has answered',
  'telemetry > gateway': 'whether it is there, and its newest contact, as readings come',
  'telemetry > open_nonce': 'a signed call is used up when it is taken',
  'telemetry > poll_gateway': 'how the last round of asking went',
  'telemetry > stored_file': 'a picture that came with a reading',
}

const snake = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)

function declared(): Map<string, string> {
  const owner = new Map<string, string>()
  for (const file of globSync('*/tables.ts', { cwd: domains })) {
    const body = /interface Tables \{([^}]*)\}/.exec(readFileSync(join(domains, file), 'utf8'))?.[1] ?? ''
    for (const [, name = ''] of body.matchAll(/^\s*'?(\w+)'?:/gm)) owner.set(snake(name), file.split('/')[0] ?? '')
  }
  return owner
}

const writers = [
  /\binsert\s+into\s+(\w+)/gi,
  /\bupdate\s+(?:only\s+)?(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/gi,
  /\bdelete\s+from\s+(?:only\s+)?(\w+)/gi,
  /\bmerge\s+into\s+(\w+)/gi,
  /\btruncate\s+(?:table\s+)?(\w+)/gi,
  /\bcopy\s+(\w+)\s*(?:\(|from)/gi,
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g,
]

/** The tables a source names in its writing statements. */
export function written(source: string, tables: ReadonlySet<string>): string[] {
  const names = writers.flatMap((one) => [...source.matchAll(one)].map(([, name = '']) => snake(name)))
  return [...new Set(names)].filter((name) => tables.has(name))
}

let tables: ReadonlySet<string>
const owner = new Map([...declared(), ...Object.entries(undeclared)])
beforeAll(async () => {
  const client = new pg.Client({ connectionString: databaseUrl(inject('postgresUrl'), 'zg_template') })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  tables = new Set(rows.map((row) => row.name))
  await client.end()
})

test('a source is searched for every way of writing', () => {
  const known = new Set(['team', 'project_worker', 'alarm'])
  const source = `sql\`update team t set a = 1\`; db.insertInto('projectWorker').values(x); sql\`delete from alarm where 1 = 0\`; sql\`select * from team for update\``
  expect(written(source, known).sort()).toEqual(['alarm', 'project_worker', 'team'])
  expect(written('select 1 from team on conflict do update set x = 1', known)).toEqual([])
})

test('every table belongs to a domain', () => {
  // Declare it in the domain's tables.ts, or name the domain in `undeclared`.
  expect([...tables].filter((name) => !owner.has(name))).toEqual([])
  // A domain's table that is gone.
  expect([...owner.keys()].filter((name) => !tables.has(name))).toEqual([])
})

test('a domain writes its own tables', () => {
  const found = new Map<string, string[]>()
  for (const file of globSync('*/**/*.ts', { cwd: domains })) {
    if (/\.test\.ts$|-for-test\.ts$/.test(file)) continue
    const domain = file.split('/')[0] ?? ''
    for (const table of written(readFileSync(join(domains, file), 'utf8'), tables)) {
      if (owner.get(table) === domain) continue
      const key = `${domain} > ${table}`
      found.set(key, [...(found.get(key) ?? []), file])
    }
  }
  const strange = [...found]
    .filter(([key]) => !(key in across))
    .map(([key, files]) => `${key} (${owner.get(key.split(' > ')[1] ?? '')}): ${files.join(' ')}`)
  // Ask the owner through its public.ts, or say in `across` why the row is written from here.
  expect(strange).toEqual([])
  // These are not needed any more: take them out of `across`.
  expect(Object.keys(across).filter((key) => !found.has(key))).toEqual([])
})
