import { AppError } from '@zhugong/contract/kit/errors'
import type { Context } from '#kit/context'
import { applyPackage } from '../../apps/public.ts'
import { enterCompany } from '../../labour/public.ts'
import { openBody, openCompany, openSite } from '../../organisation/public.ts'
import { writeLink } from '../links.ts'
import type { BodyRow, CompanyRow, People, SiteRow, Wish } from './check.ts'

interface Opened {
  code: string
  groupId: string
}
export interface Terms {
  openingId: string
  packages: Partial<Record<'1' | '2' | '3', string>>
  linkDays: number
}

/** Opens one row completely: the group or site, its apps and its administrator's link. Runs in the caller's transaction. */
export async function openRow(
  ctx: Context,
  wish: Wish,
  { openingId, packages, linkDays }: Terms,
): Promise<{ code: string; linkId: string }> {
  const { code, groupId } = await open(ctx, wish)
  const packageId = packages[typeOf[wish.is]]
  if (packageId) await applyPackage(ctx, packageId, groupId)
  const { id } = await writeLink(ctx, { groupId, name: wish.adminName, phone: wish.adminPhone, days: linkDays, openingId })
  return { code, linkId: id }
}
const typeOf = { body: '1', company: '2', site: '3' } as const

const open = (ctx: Context, wish: Wish): Promise<Opened> =>
  wish.is === 'body' ? openOneBody(ctx, wish) : wish.is === 'company' ? openOneCompany(ctx, wish) : openOneSite(ctx, wish)

/** Dictionary govLevel, from the level of the division. */
const levelOf = (areaCode: string): string => (areaCode.endsWith('0000') ? '2' : areaCode.endsWith('00') ? '3' : '4')
/** Dictionary govType: 住房和城乡建设主管部门. */
const housing = '1'

async function openOneBody(ctx: Context, { name, areaCode, parent, linkMan, linkPhone }: BodyRow & People): Promise<Opened> {
  const { govCode, groupId } = await openBody(ctx, {
    name,
    type: housing,
    level: levelOf(areaCode),
    areaCode,
    parentGovCode: parent && (await bodyNamed(ctx, parent)),
    creditCode: null,
    disciplines: [],
    linkMan,
    address: null,
    linkPhone,
  })
  return { code: govCode, groupId }
}

async function bodyNamed(ctx: Context, name: string): Promise<string> {
  const row = await ctx.db.selectFrom('government').select('govCode').where('name', '=', name).where('enable', '=', '1').executeTakeFirst()
  if (!row) throw new AppError('refused', `监管机构“${name}”还没有开通，请先处理它的那一行`)
  return row.govCode
}

/** Dictionary corpKind: 施工企业. Licence and documents are added later. */
const builder = '4'
async function openOneCompany(ctx: Context, row: CompanyRow & People): Promise<Opened> {
  const { creditCode: corpCode, name: corpName, areaCode, address, linkMan, linkPhone } = row
  const known = await ctx.db.selectFrom('corporation').select('corpCode').where('corpCode', '=', corpCode).executeTakeFirst()
  if (!known) await enterCompany(ctx, { corpCode, corpName, corpKind: [builder], areaCode, address, linkMan, linkPhone })
  const { id } = (await openCompany({ body: { corpCode, sysName: null, account: null } }, ctx)) as { id: string }
  return { code: corpCode, groupId: id }
}

async function openOneSite(ctx: Context, row: SiteRow & People): Promise<Opened> {
  const { name, areaCode, address, category, linkMan, linkPhone, lng, lat } = row
  const superviseOrg = row.supervisor && (await bodyNamed(ctx, row.supervisor))
  const { projectCode, groupId } = await openSite(ctx, {
    name,
    areaCode,
    address,
    category,
    contractorCorpCode: row.contractor,
    buildCorpCode: row.owner,
    linkMan,
    linkPhone,
    superviseOrg,
    lng,
    lat,
  })
  return { code: projectCode, groupId }
}
