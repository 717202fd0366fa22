import { setTimeout as sleep } from 'node:timers/promises'
import { idCardCheckCharacter } from '@zhugong/contract/kit/checks'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { importState } from '@zhugong/contract/personnel/import'
import { writeXlsx } from 'hucre/xlsx'
import type pg from 'pg'
import { line, peakMemoryMb } from './measure.ts'
import type { PeopleBench } from './people-bench.ts'

const longestList = 10_000

/** Imports a list of 10,000 people as a site sends it: reads and checks it, then registers the people. */
export async function benchImport(b: PeopleBench, token: string, client: pg.Client, rows = longestList): Promise<void> {
  const { rows: unit } = await client.query<{ corp: string; team: string }>(
    `select c.corp_name as corp, t.team_name as team from team t join corporation c using (corp_code) where t.project_code = $1 limit 1`,
    [b.projectCode],
  )
  const file = await workbook(unit[0] ?? { corp: '', team: '' }, rows)
  const before = { api: peakMemoryMb(b.apiPid), jobs: peakMemoryMb(b.jobsPid) }
  const headers = { token, group: '*' }
  const form = new FormData()
  form.set('projectCode', b.projectCode)
  form.set('file', new Blob([new Uint8Array(file)]), 'people.xlsx')
  const begun = performance.now()
  const sent = await answerOf<{ id: string }>(fetch(`${b.url}/api/v1/oa/workerImport/excel`, { method: 'POST', headers, body: form }))
  const url = `${b.url}/api/v1/oa/workerImport/${sent.id}`
  const reached = async (...states: string[]) => {
    for (;;) {
      const { state } = await answerOf<{ state: string }>(fetch(`${url}?size=1`, { headers }))
      if (states.includes(state)) return state
      await sleep(200)
    }
  }
  const looked = await reached(importState.ready, importState.faulty, importState.failed)
  const lookedMs = performance.now() - begun
  if (looked !== importState.ready) throw new Error(`the list was not taken: state ${looked}`)
  const confirmed = performance.now()
  const json = { ...headers, 'content-type': 'application/json' }
  await answerOf(fetch(url, { method: 'PUT', headers: json, body: JSON.stringify({ action: 'confirm' }) }))
  const ended = await reached(importState.done, importState.partly, importState.failed)
  const registeredMs = performance.now() - confirmed
  const memory = `api ${before.api} -> ${peakMemoryMb(b.apiPid)} MB, jobs ${before.jobs} -> ${peakMemoryMb(b.jobsPid)} MB at most`
  const each = (ms: number) => `${Math.round(rows / (ms / 1_000))} rows/s`
  line(`import of ${rows}: looked through`, `${(lookedMs / 1_000).toFixed(1)} s`, memory, each(lookedMs))
  line(`import of ${rows}: registered`, `${(registeredMs / 1_000).toFixed(1)} s, state ${ended}`, '', each(registeredMs))
}

async function answerOf<T>(requested: Promise<Response>): Promise<T> {
  const answer = (await (await requested).json()) as { status: number; message: string; data: T }
  if (answer.status !== 0) throw new Error(answer.message)
  return answer.data
}

function workbook({ corp, team }: { corp: string; team: string }, rows: number): Promise<Uint8Array> {
  const today = new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)
  const perDay = 499
  const people = Array.from({ length: rows }, (_, i) => {
    const birthday = new Date(Date.UTC(1970, 0, 1 + Math.floor(i / perDay))).toISOString().slice(0, 10)
    const first = `420116${birthday.replaceAll('-', '')}${String((i % perDay) * 2 + 1).padStart(3, '0')}`
    return [
      `样本${String.fromCodePoint(0x4e00 + (i % 5_000))}`,
      first + idCardCheckCharacter(first),
      `138${String(10_000_000 + i).slice(-8)}`,
      corp,
      team,
      '钢筋工',
      today,
    ]
  })
  return writeXlsx({
    sheets: [{ name: '人员', rows: [['姓名*', '证件号码*', '手机号', '企业*', '班组', '工种*', '进场日期*'], ...people] }],
  })
}
