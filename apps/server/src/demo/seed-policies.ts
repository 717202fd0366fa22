import { normalDocNo, type PolicyLevel, policyStateOf } from '@zhugong/contract/policies/model'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import type { Insertable } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { richText } from '#kit/rich-text'
import { type PolicyPlan, policyPlans } from './policy-plan.ts'
import { actorOf } from './seed-checks.ts'
import { actorsOf } from './seed-rectify.ts'
import { insertAll } from './seed-trade.ts'

const hour = 3_600_000
const daysOfYear = 365
/** Days from the issue of a text to the day it holds from. */
const untilEffect = 10

const authors: Readonly<Record<PolicyLevel, { account: string; issuer: string; front: string }>> = {
  '1': { account: 'admin', issuer: '国家建设主管部门（示例）', front: '' },
  '2': { account: 'admin', issuer: '省住房和城乡建设厅（示例）', front: '' },
  '3': { account: 'city-fang', issuer: '市住房和城乡建设局', front: '' },
  '4': { account: 'bj-wu', issuer: '区住房和城乡建设局', front: '' },
}
const marks: Readonly<Record<PolicyLevel, string>> = { '1': '示例', '2': '省建', '3': '市建', '4': '区建' }

/** The compendium of policies, invented and marked as such. */
export async function seedPolicies(tx: Tx, city: City, now: number): Promise<void> {
  const actors = await actorsOf(tx)
  const groups = await tx
    .selectFrom('tenant as t')
    .leftJoin('government as g', 'g.govCode', 't.code')
    .select(['t.id', 'g.areaCode'])
    .execute()
  const idFor = (title: string) => idOf(city.seed, 'policy', title)
  const rows = policyPlans.map((plan, i) => {
    const { account, issuer } = authors[plan.level]
    const actor = actorOf(actors, account)
    const areaCode = account === 'admin' ? null : groups.find((one) => one.id === actor.groupId)?.areaCode
    return policyRow({
      plan,
      number: i + 1,
      now,
      id: idFor(plan.title),
      issuer,
      actor,
      areaFront: (areaCode ?? '').replace(/(00){1,2}$/, ''),
    })
  })
  await insertAll(tx, 'policy', rows)
  const links = policyPlans.flatMap((plan): Insertable<Tables['policyLink']>[] => {
    const own = rows.find((one) => one.id === idFor(plan.title))
    if (!plan.replaces || !own) return []
    const { title, link } = plan.replaces
    const [id, laterId] = [idOf(city.seed, 'policyLink', plan.title), own.id]
    return [{ id, groupId: own.groupId, earlierId: idFor(title), laterId, kind: link, since: own.effectDate }]
  })
  await insertAll(tx, 'policyLink', links)
}

interface Given {
  plan: PolicyPlan
  number: number
  now: number
  id: string
  issuer: string
  actor: { id: string; groupId: string }
  areaFront: string
}

function policyRow({ plan, number, now, id, issuer, actor, areaFront }: Given): Insertable<Tables['policy']> {
  const issueDate = addDays(formatDay(now), -plan.years * daysOfYear - plan.days)
  const effectDate = addDays(issueDate, untilEffect)
  const docNo =
    plan.docNo ??
    (plan.category === 'reading' || plan.state === 'draft' ? null : `${marks[plan.level]}〔${issueDate.slice(0, 4)}〕${number}号`)
  const { html, text } = richText(contentOf(plan, effectDate))
  const at = new Date(startOfDay(issueDate) + 10 * hour)
  const isPublished = plan.state === undefined
  return {
    id,
    groupId: actor.groupId,
    areaFront,
    title: plan.title,
    docNo,
    docKey: docNo && normalDocNo(docNo),
    level: plan.level,
    category: plan.category,
    subject: plan.subject ?? null,
    issuer,
    issueDate,
    effectDate,
    content: html,
    body: text,
    state: isPublished ? policyStateOf.published : plan.state === 'draft' ? policyStateOf.draft : policyStateOf.withdrawn,
    publishedAt: plan.state === 'draft' ? null : at,
    withdrawReason: plan.state === 'withdrawn' ? '限值引用有误，重新发布' : null,
    topAt: plan.top ? at : null,
    // Older texts have been read more often.
    views: isPublished ? 20 + plan.years * 130 + ((number * 37) % 90) : 0,
    createBy: actor.id,
    createTime: at,
    updateBy: actor.id,
    updateTime: at,
  }
}

function contentOf({ title, about, category }: PolicyPlan, effectDate: string): string {
  const [first, second, third] = about
  const opening =
    category === 'reading'
      ? `<p>现就${title.replace(/[解读问答]+$/, '')}的有关问题说明如下。</p>`
      : `<p>为规范${first}、${second}，根据有关法律法规和本地实际，制定本文。</p>`
  const chapter = (n: string, name: string, text: string) => `<h2>${n}、${name}</h2><p>${text}</p>`
  return `<p><strong>演示数据：本文为虚构文本，不具有任何效力。</strong></p>${opening}
    ${chapter('一', first, `参建各方应当明确${first}的责任人，建立台账，每周检查一次，发现问题当日登记并通知责任单位。`)}
    ${chapter('二', second, `${second}应当有记录、有影像、有签字。资料由施工单位整理，监理单位复核，随工程进度归档。`)}
    <table><tr><th>事项</th><th>责任单位</th><th>时限</th></tr><tr><td>${first}</td><td>施工单位</td><td>每周</td></tr><tr><td>${second}</td><td>监理单位</td><td>每月</td></tr></table>
    ${chapter('三', third, `${third}由项目所在地建设主管部门负责。违反规定的，依照有关规定处理，并记入信用档案。`)}
    <p>本文自 ${effectDate} 起施行。</p>`
}
