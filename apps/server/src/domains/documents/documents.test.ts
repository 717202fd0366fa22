import { randomUUID } from 'node:crypto'
import { emptyBin, listBin, purgeDocument } from '@zhugong/contract/documents/bin'
import {
  changeDocument,
  createDocument,
  createDocumentFolder,
  documentGrantees,
  getDocument,
  listDocumentFolders,
  listDocuments,
  openDocument,
  removeDocument,
  starDocument,
} from '@zhugong/contract/documents/calls'
import { keptDays, quotaBytes } from '@zhugong/contract/documents/moves'
import { deepest } from '@zhugong/contract/documents/names'
import { dayMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { clearBins } from './public.ts'

let world: World
let settled: CityWorld
let projectCode = ''
/** The site's manager and officer, its contractor, its supervisor, a subcontractor, the authority, another site, the platform. */
const cast = {
  manager: 'hospital-pm',
  officer: 'hospital-officer',
  contractor: 'yunze-lu',
  supervisor: 'hospital-jl',
  subcontractor: 'dingli-cheng',
  authority: 'bj-zhao',
  stranger: 'zhigu-pm',
  operator: 'admin',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
const ids = {} as Record<Who, { user: string; group: string; role: string }>
const db = () => world.database.kysely

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.manager)?.projectCode ?? ''
  // Every role may do everything: what is tried here are folders and parts, not codes.
  await sql`update role set codes = codes || '{documents.view,documents.upload,documents.edit,documents.share,documents.delete,documents.restore,documents.purge,documents.archive,documents.download,documents.export}'::text[]`.execute(
    db(),
  )
  for (const who of everybody) {
    as[who] = await settled.as(cast[who])
    const { rows } = await sql<{ user: string; group: string; role: string | null }>`select u.id as "user", m.group_id as "group",
        (select r.role_id from member_role r where r.member_id = m.id order by r.role_id limit 1) as role
      from app_user u join member m on m.user_id = u.id where u.account = ${cast[who]} order by m.is_default desc limit 1`.execute(db())
    ids[who] = { user: rows[0]?.user ?? '', group: rows[0]?.group ?? '', role: rows[0]?.role ?? '' }
  }
})
afterAll(() => world.close())

const rightsKeptMs = 1000
const newId = () => randomUUID().replaceAll('-', '')
const here = () => ({ projectCode })
const anywhere = { projectCode: '*' }
/** A file that somebody has just sent. */
async function sent(who: Who, name = '图.pdf', bytes = 1000): Promise<string> {
  const id = newId()
  const { user, group } = ids[who]
  await db()
    .insertInto('storedFile')
    .values({ id, name, mime: 'application/pdf', bytes, sha256: id, groupId: group, createBy: user, projectCode: null })
    .execute()
  return id
}
type More = Record<string, unknown>
const makeFolder = (who: Who, name: string, parentId: string | null = null, space = 'project') =>
  as[who].ask(createDocumentFolder, { query: here(), body: { id: newId(), name, space, parentId } } as never)
const folder = async (who: Who, parentId: string | null = null, space = 'project', name = newId()) =>
  (await as[who].call(createDocumentFolder, { query: here(), body: { id: newId(), name, space, parentId } } as never)).id
const addFile = async (who: Who, parentId: string | null, more: More = {}, space = 'project') =>
  as[who].ask(createDocument, {
    query: here(),
    body: { id: newId(), name: `${newId()}.pdf`, fileId: await sent(who), space, parentId, ...more },
  } as never)
const file = async (who: Who, parentId: string | null, more: More = {}, space = 'project') => {
  const answer = await addFile(who, parentId, more, space)
  expect(answer.status, answer.message).toBe(0)
  return answer.data.id
}
const see = (who: Who, id: string) => as[who].call(getDocument, { params: { id }, query: anywhere })
const read = (who: Who, id: string) => as[who].ask(getDocument, { params: { id }, query: anywhere })
const sees = async (who: Who, id: string) => (await read(who, id)).status === 0
const versionOf = async (id: string) =>
  (await sql<{ version: number }>`select version from document where id = ${id}`.execute(db())).rows[0]?.version ?? 0
const act = async (who: Who, id: string, action: string, more: More = {}) =>
  as[who].ask(changeDocument, { params: { id }, query: anywhere, body: { action, version: await versionOf(id), ...more } } as never)
const remove = (who: Who, id: string) => as[who].ask(removeDocument, { params: { id }, query: anywhere })
const user = (who: Who, level: number) => ({ kind: 'user', id: ids[who].user, level })
const done = (answer: { status: number; message: string }) => expect(answer.status, answer.message).toBe(0)
const refused = (answer: { status: number; message: string }, words: string) => expect(answer.message).toContain(words)

describe('a file', () => {
  test('of a taken name is asked about, becomes a version, or stands beside it', async () => {
    const at = await folder('manager')
    const id = await file('manager', at, { name: '总平面图.pdf' })
    const nameTaken = await addFile('officer', at, { name: '总平面图.PDF' })
    expect(nameTaken.data).toMatchObject({ field: 'name', taken: { id, versionNo: 1, mayReplace: true } })
    const version = await addFile('officer', at, { name: '总平面图.pdf', onTaken: 'version', version: 0 })
    expect(version.data).toMatchObject({ id, versionNo: 2 })
    // Who comes second with the same version is told who was first, and keeps both.
    const late = await addFile('contractor', at, { name: '总平面图.pdf', onTaken: 'version', version: 0 })
    refused(late, '保留两份')
    const both = await addFile('contractor', at, { name: '总平面图.pdf', onTaken: 'both' })
    expect(both.data.name).toBe('总平面图（2）.pdf')
    done(await act('manager', id, 'current', { no: 1 }))
    const now = await see('manager', id)
    expect(now.versions.map((one) => [one.no, one.fromNo, one.current])).toEqual([
      [3, 1, true],
      [2, null, false],
      [1, null, false],
    ])
  })

  test('is made of what its sender has sent in this group, and is what its name says', async () => {
    const foreign = await addFile('officer', null, { fileId: await sent('manager') })
    expect(foreign.data).toMatchObject({ field: 'fileId' })
    const wrong = await addFile('manager', null, { name: '图纸.dwg' })
    refused(wrong, '不符')
    // The content of a document is no file of the group any more: nobody takes or opens it but through its document.
    const id = await file('manager', null)
    const { rows } = await sql<{ fileId: string; groupId: string; source: string }>`select f.id as file_id, f.group_id, f.source
      from stored_file f join document d on d.file_id = f.id where d.id = ${id}`.execute(db())
    expect(rows[0]).toMatchObject({ groupId: '', source: 'document' })
    refused(await addFile('manager', null, { fileId: rows[0]?.fileId }), '不是您上传的')
  })

  test('sent again under the same id is stored once', async () => {
    const body = { id: newId(), name: `${newId()}.pdf`, fileId: await sent('manager'), space: 'project' as const }
    for (let i = 0; i < 2; i++) await as.manager.call(createDocument, { query: here(), body })
    expect((await see('manager', body.id)).versions).toHaveLength(1)
  })

  test('needs room in the quota of its group', async () => {
    const { used, most } = (await as.manager.call(listDocuments, { query: { ...here(), space: 'project' } })).quota
    expect(most).toBe(quotaBytes[3])
    const big = await sent('manager', '图.pdf', most - used + 1)
    refused(await addFile('manager', null, { fileId: big }), '空间不足')
  })

  test('is looked at and taken, and that is kept', async () => {
    const id = await file('manager', null, { security: '1' })
    const open = (who: Who, what: 'view' | 'download') => as[who].call(openDocument, { params: { id }, query: anywhere, body: { what } })
    expect(await open('authority', 'view')).toMatchObject({ preview: 'pdf', watermark: null })
    await open('officer', 'download')
    const { looks, lookCount } = await see('manager', id)
    expect([lookCount, looks.map((one) => one.label).sort()]).toEqual([2, ['下载', '查看']])
    expect((await see('authority', id)).looks).toEqual([])
    await as.officer.call(starDocument, { params: { id }, query: anywhere, body: { starred: true } })
    for (const space of ['starred', 'recent'] as const)
      expect((await as.officer.call(listDocuments, { query: { ...anywhere, space } })).list.map((one) => one.id)).toContain(id)
    expect((await as.manager.call(listDocuments, { query: { ...anywhere, space: 'starred' } })).list).toEqual([])
  })
})

describe('a folder', () => {
  test(`is at most ${deepest} levels deep, also where one is moved to, and never in itself`, async () => {
    let at: string | null = null
    const chain: string[] = []
    for (let i = 0; i < deepest; i++) {
      at = await folder('manager', at)
      chain.push(at)
    }
    refused(await makeFolder('manager', '太深', at), '最多')
    const two = await folder('manager')
    await folder('manager', two)
    refused(await act('manager', two, 'move', { to: chain[6] }), '最多')
    done(await act('manager', two, 'move', { to: chain[5] }))
    refused(await act('manager', chain[0] ?? '', 'move', { to: two }), '自己里面')
  })

  test('takes its content along when it is renamed or moved, and search finds it by its path', async () => {
    const a = await folder('manager', null, 'project', '结构专业')
    const b = await folder('manager', a, 'project', '二层')
    const id = await file('manager', b, { name: '梁配筋.pdf' })
    done(await act('manager', a, 'rename', { name: '结构施工图' }))
    expect((await see('manager', id)).path).toBe('结构施工图/二层')
    const c = await folder('manager', null, 'project', '归集')
    done(await act('manager', b, 'move', { to: c }))
    expect((await see('manager', id)).path).toBe('归集/二层')
    const { list } = await as.officer.call(listDocuments, { query: { ...here(), space: 'project', keyword: '归集/二' } })
    expect(list.map((one) => one.id)).toContain(id)
  })

  test('has each name once, whatever its case', async () => {
    const at = await folder('manager')
    await folder('manager', at, 'project', 'Drawings')
    refused(await makeFolder('manager', 'drawings', at), '同名')
  })
})

/** What each level in a folder that is shared to somebody allows. */
describe.each([
  [1, '查看'],
  [2, '上传'],
  [3, '编辑'],
  [4, '管理'],
])('level %i', (level, name) => {
  test(`${name} allows what it says and no more`, async () => {
    const at = await folder('manager')
    const id = await file('manager', at)
    done(await act('manager', at, 'share', { grants: [user('officer', level)] }))
    const may: [number, () => Promise<{ status: number; message: string }>][] = [
      [1, () => read('officer', id)],
      [2, () => addFile('officer', at)],
      [2, () => makeFolder('officer', newId(), at)],
      [3, () => act('officer', id, 'rename', { name: `${newId()}.pdf` })],
      [3, async () => act('officer', id, 'newVersion', { fileId: await sent('officer') })],
      [4, () => act('officer', id, 'share', { grants: [user('manager', 1)] })],
      [4, () => act('officer', id, 'security', { security: '1' })],
      [3, () => remove('officer', id)],
    ]
    for (const [least, run] of may) {
      const answer = await run()
      expect(answer.status === 0, `${least}: ${answer.message}`).toBe(level >= least)
    }
    // Nobody else of the site, its companies or above it sees any of it.
    for (const who of everybody.filter((one) => one !== 'manager' && one !== 'officer')) expect(await sees(who, at), who).toBe(false)
  })
})

describe('a closed folder', () => {
  test('lets a child be closed further and never opened', async () => {
    const top = await folder('manager')
    done(await act('manager', top, 'share', { grants: [user('officer', 3), user('contractor', 1)] }))
    const child = await folder('manager', top)
    const id = await file('manager', child)
    // More than the folder gives, or somebody whom it does not name.
    refused(await act('manager', child, 'share', { grants: [user('contractor', 3)] }), '只能收窄')
    refused(await act('manager', child, 'share', { grants: [user('subcontractor', 1)] }), '只能收窄')
    done(await act('manager', child, 'share', { grants: [user('officer', 1)] }))
    expect([await sees('officer', id), await sees('contractor', id), await sees('contractor', top)]).toEqual([true, false, true])
    refused(await act('officer', id, 'rename', { name: '改名.pdf' }), '没有此项权限')
    // Whoever lost the folder above loses the child, although the child still names them.
    done(await act('manager', top, 'share', { grants: [user('contractor', 1)] }))
    expect(await sees('officer', id)).toBe(false)
    const { list } = await as.manager.call(documentGrantees, { params: { id: child }, query: anywhere })
    expect(list.some((one) => one.id === ids.officer.user)).toBe(false)
  })

  test('closes also what whoever closes it does not see', async () => {
    const top = await folder('manager')
    const hidden = await file('contractor', top, { security: '3' })
    done(await act('contractor', hidden, 'share', { grants: [user('officer', 1)] }))
    expect([await sees('manager', hidden), await sees('officer', hidden)]).toEqual([false, true])
    done(await act('manager', top, 'share', { grants: [user('contractor', 4)] }))
    expect(await sees('officer', hidden)).toBe(false)
    // Nor does a folder with it go into the bin unseen.
    refused(await remove('manager', top), '看不到')
    // Moved below another closed folder, what is hidden is closed by that as well.
    const other = await folder('manager')
    done(await act('manager', other, 'share', { grants: [user('officer', 4)] }))
    const inner = await folder('manager')
    const deep = await file('contractor', inner, { security: '3' })
    done(await act('manager', inner, 'move', { to: other }))
    expect([await sees('contractor', deep), await sees('manager', deep)]).toEqual([false, false])
  })

  test('is left by its content only with its manager', async () => {
    const top = await folder('manager')
    const id = await file('manager', top)
    done(await act('manager', top, 'share', { grants: [user('officer', 3)] }))
    refused(await act('officer', id, 'move', { to: null }), '管理权限')
    done(await act('manager', id, 'move', { to: null }))
    expect(await sees('contractor', id)).toBe(true)
  })

  test('is shared to roles as well, and to nobody outside the project', async () => {
    const top = await folder('manager')
    const role = { kind: 'role', id: ids.officer.role, level: 1 }
    done(await act('manager', top, 'share', { grants: [role] }))
    expect([await sees('officer', top), await sees('subcontractor', top)]).toEqual([true, false])
    refused(await act('manager', top, 'share', { grants: [user('stranger', 1)] }), '看得到该位置')
    refused(await act('manager', top, 'share', { grants: [user('operator', 1)] }), '看得到该位置')
    // A grant written by hand reaches no further than the projects of its holder.
    await sql`insert into document_grant (id, document_id, user_id, name, level) values (${newId()}, ${top}, ${ids.stranger.user}, '外人', 4)`.execute(
      db(),
    )
    expect(await sees('stranger', top)).toBe(false)
  })
})

describe('a restricted document', () => {
  test('is for its owner and whom it is shared to: not for the manager, the authority, the platform', async () => {
    const id = await file('officer', null, { security: '3' })
    for (const who of everybody) expect(await sees(who, id), who).toBe(who === 'officer')
    done(await act('officer', id, 'share', { grants: [user('contractor', 1)] }))
    for (const who of everybody) expect(await sees(who, id), who).toBe(who === 'officer' || who === 'contractor')
    const opened = await as.contractor.call(openDocument, { params: { id }, query: anywhere, body: { what: 'view' } })
    expect(opened.watermark).toContain('20')
    // Nothing of it stands in lists, trees, searches, histories or the database under any role of requests.
    for (const who of everybody.filter((one) => one !== 'officer' && one !== 'contractor')) {
      const space = 'project'
      const { list } = await as[who].call(listDocuments, { query: { ...anywhere, space, keyword: '.pdf', size: 1000 } })
      expect(
        list.map((one) => one.id),
        who,
      ).not.toContain(id)
    }
    for (const role of ['zg_some', 'zg_wide', 'zg_all']) {
      const n = await db()
        .transaction()
        .execute(async (tx) => {
          await sql`select set_config('role', ${role}, true), set_config('app.projects', ${projectCode}, true), set_config('app.limited', '', true),
            set_config('app.corps', '', true), set_config('app.group', ${ids.manager.group}, true), set_config('app.group_type', '3', true),
            set_config('app.governments', '', true), set_config('app.user', ${ids.manager.user}, true)`.execute(tx)
          const { rows } = await sql<{ n: number }>`select ((select count(*) from document where id = ${id})
            + (select count(*) from document_version where document_id = ${id}) + (select count(*) from document_grant where document_id = ${id})
            + (select count(*) from document_look where document_id = ${id}))::int as n`.execute(tx)
          return rows[0]?.n
        })
      expect(n, role).toBe(0)
    }
  })

  test('leaves the product only with the right to it', async () => {
    const id = await file('officer', null, { security: '3' })
    done(await act('officer', id, 'share', { grants: [user('contractor', 1)] }))
    await sql`update role set codes = array_remove(codes, 'documents.download')
      where id in (select r.role_id from member m join member_role r on r.member_id = m.id where m.user_id = ${ids.contractor.user})`.execute(
      db(),
    )
    try {
      // The rights of an account are known for a moment longer.
      await new Promise((resolve) => setTimeout(resolve, rightsKeptMs))
      const take = (who: Who) => as[who].ask(openDocument, { params: { id }, query: anywhere, body: { what: 'download' } })
      refused(await take('contractor'), 'documents.download')
      done(await take('officer'))
    } finally {
      await sql`update role set codes = array_append(codes, 'documents.download') where not codes @> '{documents.download}'`.execute(db())
    }
  })

  test('opens to its folder again when its level falls and nobody was named', async () => {
    const id = await file('officer', null, { security: '3' })
    done(await act('officer', id, 'security', { security: '2' }))
    expect([await sees('manager', id), await sees('authority', id)]).toEqual([true, false])
    done(await act('officer', id, 'security', { security: '1' }))
    expect(await sees('authority', id)).toBe(true)
  })
})

describe('by their part in the project', () => {
  test('companies keep their own, the authority keeps nothing there, strangers see nothing', async () => {
    const id = await file('manager', null, { security: '1' })
    const seen = Object.fromEntries(await Promise.all(everybody.map(async (who) => [who, await sees(who, id)] as const)))
    expect(seen).toEqual({
      manager: true,
      officer: true,
      contractor: true,
      supervisor: true,
      subcontractor: false,
      authority: true,
      stranger: false,
      operator: true,
    })
    for (const who of ['supervisor', 'subcontractor'] as const) {
      const own = await file(who, null)
      done(await act(who, own, 'rename', { name: `${newId()}.pdf` }))
      expect(await sees('manager', own)).toBe(true)
      expect((await act(who, id, 'rename', { name: '别人的.pdf' })).status, who).not.toBe(0)
      expect((await remove(who, id)).status, who).not.toBe(0)
    }
    for (const who of ['authority', 'operator'] as const) {
      expect((await addFile(who, null)).status, who).not.toBe(0)
      expect((await act(who, id, 'rename', { name: '监管改名.pdf' })).status, who).not.toBe(0)
      expect((await remove(who, id)).status, who).not.toBe(0)
    }
    expect((await addFile('stranger', null)).status).not.toBe(0)
  })

  test('own documents are their keeper’s alone, until they are shared within the group', async () => {
    const id = await file('authority', null, {}, 'own')
    for (const who of everybody) expect(await sees(who, id), who).toBe(who === 'authority')
    const mine = await folder('manager', null, 'own')
    expect((await addFile('officer', mine, {}, 'own')).status).not.toBe(0)
    done(await act('manager', mine, 'share', { grants: [user('officer', 2)] }))
    const inside = await file('officer', mine, {}, 'own')
    expect([await sees('manager', inside), await sees('contractor', inside)]).toEqual([true, false])
    const shared = await as.officer.call(listDocuments, { query: { ...anywhere, space: 'shared' } })
    expect(shared.list.map((one) => one.id)).toContain(mine)
    const tree = await as.officer.call(listDocumentFolders, { query: { ...anywhere, space: 'own' } })
    expect(tree.folders.map((one) => one.id)).not.toContain(mine)
    refused(await act('manager', mine, 'share', { grants: [user('stranger', 1)] }), '看得到该位置')
  })
})

describe('the recycle bin', () => {
  const bin = (who: Who) => as[who].call(listBin, { query: { ...anywhere, size: 1000 } })
  const entry = async (who: Who, id: string) => (await bin(who)).list.find((one) => one.id === id)

  test('holds a folder as one entry with its content, and gives it back to its place', async () => {
    const top = await folder('manager', null, 'project', newId())
    const at = await folder('manager', top, 'project', '进场资料')
    const files = [await file('manager', at, { name: '一.pdf' }), await file('manager', at, { name: '二.pdf' })]
    done(await remove('manager', at))
    expect(await entry('manager', at)).toMatchObject({ count: 3, size: 2000, daysLeft: keptDays, isDir: true })
    expect(await sees('manager', files[0] ?? '')).toBe(false)
    // The folder above goes as well; its name is taken by another meanwhile.
    done(await remove('manager', top))
    done(await act('manager', at, 'restore'))
    const back = await see('manager', files[0] ?? '')
    expect([back.path.endsWith('/进场资料'), await sees('manager', files[1] ?? '')]).toEqual([true, true])
    const { rows } = await sql<{ parentId: string }>`select parent_id from document where id = ${at}`.execute(db())
    expect(rows[0]?.parentId).not.toBe(top)
    done(await remove('manager', files[0] ?? ''))
    await file('manager', at, { name: '一.pdf' })
    done(await act('manager', files[0] ?? '', 'restore'))
    expect((await see('manager', files[0] ?? '')).name).toBe('一（恢复）.pdf')
  })

  test('shows one’s own deletions, and those of the group to whoever may give them back', async () => {
    const id = await file('officer', null)
    done(await remove('officer', id))
    expect([!!(await entry('officer', id)), !!(await entry('manager', id)), !!(await entry('contractor', id))]).toEqual([true, true, false])
    done(await act('manager', id, 'restore'))
    expect(await sees('officer', id)).toBe(true)
    const secret = await file('officer', null, { security: '3' })
    done(await remove('officer', secret))
    expect(await entry('manager', secret)).toBeUndefined()
  })

  test('never takes archived papers, and says why', async () => {
    const at = await folder('manager')
    const id = await file('manager', at)
    done(await act('manager', id, 'archive', { category: '3' }))
    expect(await see('manager', id)).toMatchObject({ kept: '已归档的资料不能删除', dataState: '2' })
    refused(await remove('manager', id), '已归档')
    refused(await remove('manager', at), '已归档')
    refused(await act('manager', id, 'newVersion', { fileId: await sent('manager') }), '已归档')
    refused(await act('manager', id, 'rename', { name: '换名.pdf' }), '已归档')
  })

  test('deletes for good with the name repeated, and gives the space back', async () => {
    const id = await file('manager', null, { name: `${newId()}.pdf` })
    const before = (await as.manager.call(listDocuments, { query: here() })).quota.used
    const { name } = await see('manager', id)
    done(await remove('manager', id))
    const purge = (given: string) => as.manager.ask(purgeDocument, { params: { id }, query: { ...anywhere, name: given } })
    refused(await purge('别的名称'), '不一致')
    done(await purge(name))
    expect((await as.manager.call(listDocuments, { query: here() })).quota.used).toBe(before - 1000)
    const left = await sql<{ n: number }>`select count(*)::int as n from document_version where document_id = ${id}`.execute(db())
    expect(left.rows[0]?.n).toBe(0)
    const { counts } = await bin('manager')
    refused(await as.manager.ask(emptyBin, { query: { ...anywhere, count: counts.entries + 1 } }), '刷新')
  })

  test(`is cleared after ${keptDays} days, to the hour`, async () => {
    const id = await file('manager', null)
    done(await remove('manager', id))
    const clear = (days: number) => {
      const clock = { now: () => Date.now() + days * dayMs }
      return clearBins({ db: db(), clock, secrets: createSecrets(testSecretKey), log: createLog('test', 'warn') }, '/nonexistent')
    }
    await clear(keptDays - 0.1)
    expect(await entry('manager', id)).toBeDefined()
    await clear(keptDays + 0.1)
    expect(await entry('manager', id)).toBeUndefined()
  })
})

test('a change of an old version is refused, with who was first', async () => {
  const id = await file('manager', null)
  done(await act('officer', id, 'rename', { name: `${newId()}.pdf` }))
  const answer = await as.manager.ask(changeDocument, {
    params: { id },
    query: anywhere,
    body: { action: 'rename', version: 0, name: '旧版本.pdf' },
  })
  refused(answer, '刷新后再改')
})
