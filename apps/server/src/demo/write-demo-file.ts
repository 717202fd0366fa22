import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { City } from '@zhugong/simulator/city-types'
import type { Config } from '#kit/config'
import type { Database } from '#kit/db'
import { demoFile } from './accounts.ts'
import type { MonitoringLines } from './monitoring-lines.ts'
import type { DemoCredentials } from './seed-accounts.ts'
import { equipmentSamples } from './seed-equipment.ts'
import type { MachineSecrets } from './seed-machines.ts'

/** `DATA_DIR/demo.json`: logins and addresses for people, scripts and the simulator. Readable by the owner only. */
export async function writeDemoFile(
  config: Config,
  database: Database,
  city: City,
  machines: MachineSecrets,
  accounts: DemoCredentials[],
  lines: MonitoringLines,
  simulation: { seed: number; today: string; gatesWait: boolean },
): Promise<void> {
  const first = city.projects[0]
  if (!first) throw new Error('a city without projects')
  const devicesOf = (gatewayCode: string) =>
    city.devices
      .filter((d) => d.access.protocol === 'mqtt' && d.access.gatewayCode === gatewayCode)
      .map((d) => ({ deviceId: d.id, deviceSn: d.deviceSn, family: d.family }))
  const content = {
    ...addressesOf(config),
    hj212: city.devices.flatMap((d) =>
      d.access.protocol === 'hj212'
        ? [{ mn: d.access.mn, password: d.access.password, projectCode: d.projectCode, deviceId: d.id, deviceSn: d.deviceSn }]
        : [],
    ),
    accounts,
    gateways: city.gateways.map((g) => ({
      gatewayId: machines.gateways.get(g.code)?.id,
      secret: machines.gateways.get(g.code)?.secret,
      projectCode: g.projectCode,
      devices: devicesOf(g.code),
    })),
    // First the truck that the simulator does not play.
    jt808: city.devices
      .toSorted((a, b) => Number(b.behaviour === 'offline') - Number(a.behaviour === 'offline'))
      .flatMap((d) =>
        d.access.protocol === 'jt808' ? [{ phone: d.access.phone, plateNo: d.name, projectCode: d.projectCode, deviceId: d.id }] : [],
      ),
    openApps: city.openApps.map((a) => ({
      appId: machines.openApps.get(a.code)?.id,
      appSecret: machines.openApps.get(a.code)?.secret,
      projectCode: a.projectCode,
    })),
    ...lines,
    samples: await samples(database, city),
    simulation,
  }
  save(config, content)
}

const addressesOf = (config: Config) => ({
  url: `http://${config.host}:${config.port}`,
  mqttUrl: `mqtt://${config.host}:${config.mqttPort}`,
  hj212Port: config.hj212Port,
  jt808Port: config.jt808Port,
})

/** The same city may be started on other ports next time. */
export function refreshAddresses(config: Config): void {
  save(config, { ...load(config), ...addressesOf(config) })
}

/** Releases passages that gates held back while history was written. */
export function letGatesSpeak(config: Config): void {
  const content = load(config)
  save(config, { ...content, simulation: { ...(content.simulation as object), gatesWait: false } })
}

const load = (config: Config) => JSON.parse(readFileSync(demoFile(config.dataDir), 'utf8')) as Record<string, unknown>

function save(config: Config, content: Record<string, unknown>): void {
  const file = demoFile(config.dataDir)
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** The query that opens each page of one record. */
async function samples(database: Database, city: City): Promise<Record<string, string>> {
  const project = city.projects[0]?.projectCode ?? ''
  const worker = city.projectWorkers.find((w) => w.projectCode === project && w.workRole === '20')
  const certified =
    city.workerCerts.find((c) => city.projectWorkers.some((w) => w.workerId === c.workerId && w.projectCode === project))?.workerId ??
    worker?.workerId
  const team = city.teams.find((t) => t.projectCode === project)
  const corp = city.projectCorps.find((c) => c.projectCode === project && c.corpType === '009')
  const crane = city.devices.find((d) => d.family === 'towerCrane' && d.projectCode === project)
  const gateway = city.gateways.find((g) => g.projectCode === project)
  const gatewayId =
    (await database.pool.query<{ id: string }>('select id from gateway where project_code = $1 order by name limit 1', [project])).rows[0]
      ?.id ?? gateway?.id
  const person = `?id=${certified}&projectCode=${project}`
  const recordOf = async (record: string) => {
    const { rows } = await database.pool.query<{ key: string }>(
      `select device_id || '.' || (extract(epoch from ts) * 1000)::bigint || '.' || left(md5(id), 8) as key from device_record
       where project_code = $1 and record = $2 order by ts desc limit 1`,
      [project, record],
    )
    return rows[0]?.key ?? ''
  }
  const [weighing, passage] = [await recordOf('weighRecord'), await recordOf('accessRecord')]
  return {
    '/personnelSystem/info': person,
    ...Object.fromEntries(
      ['basic', 'resume', 'bad', 'contract', 'certificate', 'virusProtect'].map((tab) => [`/personnelSystem/info/${tab}`, person]),
    ),
    '/personListEdit': `?id=${worker?.workerId}`,
    '/personListDetails': `?id=${worker?.id}`,
    '/PersonDetails': person,
    '/companySystem/info': `?corpCode=${corp?.corpCode}`,
    '/companySystem/info/basic': `?corpCode=${corp?.corpCode}`,
    '/companySystem/info/extra': `?corpCode=${corp?.corpCode}`,
    '/teamSystem/info': `?id=${team?.id}`,
    '/teamSystem/info/basic': `?id=${team?.id}`,
    '/teamEdit': `?id=${team?.id}`,
    '/CheckingDetail': `?workerId=${worker?.workerId}&projectCode=${project}`,
    '/loadometer/detail': `?id=${weighing}`,
    '/loadometer/edit': `?id=${weighing}`,
    '/vehicleAccessRecord/details': `?id=${passage}`,
    '/administrationDetails': `?id=${crane?.id}`,
    '/gateway/edit': `?id=${gatewayId}`,
    '/gateway/details': `?id=${gatewayId}`,
    ...equipmentSamples(city),
    ...(await recordSamples(database, project)),
  }
}

/** One record of each kind with states, of the main site. */
async function recordSamples({ pool }: Database, project: string): Promise<Record<string, string>> {
  const queryOf = async (text: string) => {
    const { rows } = await pool.query<{ id: string }>(text, [project])
    return `?id=${rows[0]?.id ?? ''}`
  }
  const notice = (origin: 'gov' | 'site', state: string) =>
    queryOf(
      `select id from rectify where project_code = $1 and origin = '${origin}' and state = '${state}' order by issue_time desc limit 1`,
    )
  const check = await queryOf(
    `select id from site_check where project_code = $1 and kind = 'securityCheck' and problem_count > 0 order by check_time desc limit 1`,
  )
  const inspection = (state: string) =>
    queryOf(
      `select id from site_check where project_code = $1 and kind = 'safetyInspection' and (state = '0') = ${state === '0'} order by check_time desc limit 1`,
    )
  const stop = await queryOf(`select id from stopapply where state <> '0' order by (project_code = $1) desc, create_time desc limit 1`)
  const advice = await queryOf(`select id from advice where not secret order by (about_project = $1) desc, create_time desc limit 1`)
  const expert = await queryOf(
    `select e.id from expert e where $1 <> '' order by (select count(*) from expert_activity_seat s where s.expert_id = e.id) desc, e.id limit 1`,
  )
  const [issued, answered] = [await notice('gov', '2'), await notice('gov', '5')]
  return {
    '/jgt/project/project_detail': issued,
    '/jgt/project/huifu': answered,
    '/jgt/project/shenhe': answered,
    '/jgt/project/hf': issued,
    '/safetySupervisionRectification/details': issued,
    '/safetyP/abarbeitung/details': await notice('site', '2'),
    '/securityCheck/securityCheckdetail': check,
    '/safetyMeasuresdetail': await queryOf(
      `select id from safety_measure where project_code = $1 and state = '1' order by create_time desc limit 1`,
    ),
    '/safetyInspection/details': await inspection('1'),
    '/safetyInspection/edit': await inspection('0'),
    '/jgt/stopapply/details': stop,
    '/jgt/spdevice/details': await queryOf(`select id from machine_stay where state = '6' order by (project_code = $1) desc, id limit 1`),
    '/jgt/bigproject/details': await queryOf(
      `select id from bigproject where state = '6' order by (project_code = $1) desc, risk_level, id limit 1`,
    ),
    '/material/details': await queryOf(
      `select id from material_batch where project_code = $1 and state = '2' and sent_at is not null and category = '01' order by arrive_time desc limit 1`,
    ),
    '/safetyP/examine/details': await queryOf(
      `select c.id from site_check c join site_examine e on e.check_id = c.id where c.project_code = $1 and c.state = '3' and e.round = '2'
        order by c.check_time desc limit 1`,
    ),
    '/safetyP/checksP/details': await queryOf(
      `select id from theme_campaign where project_code = $1 and state = '1' and theme = '03' order by end_date limit 1`,
    ),
    '/safetyP/log/details': await queryOf(
      `select x.id from day_log x where x.project_code = $1 and x.kind = 'safetyPLog' order by exists (select from day_log_comment c where c.log_id = x.id) desc,
        x.day desc limit 1`,
    ),
    '/safetyP/construction/details': await queryOf(
      `select x.id from day_log x where x.project_code = $1 and x.kind = 'construction' order by exists (select from day_log_pour c where c.log_id = x.id) desc,
        x.day desc limit 1`,
    ),
    '/safetyP/qualityP/details': await queryOf(
      `select id from site_step where project_code = $1 and kind = '5' and round = 2 order by check_time desc limit 1`,
    ),
    '/qualitySpotCheckDetails': await queryOf(
      `select id from spot_check where state = '5' order by (project_code = $1) desc, check_date desc limit 1`,
    ),
    '/jgt/adviceReply/reply': advice,
    '/person/expert/form': expert,
    '/person/expert/evaluateDetail': expert,
  }
}
