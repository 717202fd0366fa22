import { maskIdCard } from '@zhugong/contract/kit/checks'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { City, Corporation } from '@zhugong/simulator/city-types'
import { personName } from '@zhugong/simulator/names'
import { creditCode, idCardNumber } from '@zhugong/simulator/numbers'
import { idOf, type Random, stream } from '@zhugong/simulator/random'
import { addDays, formatDay } from '#kit/clock'
import type { Tx } from '#kit/db'
import type { Secrets } from '#kit/secret'
import { insertAll } from './seed-trade.ts'

const tradeNames = ['建筑工程', '机电工程', '市政公用工程']
const registerSource = '省建筑市场监管公共服务平台'
/** Companies of the register that are not in the city. */
const strangers = 60

/** The industry register of the province's platform: companies with qualifications and people. */
export async function seedRegister(tx: Tx, city: City, secrets: Secrets, now: number): Promise<void> {
  const random = stream(city.seed, 'register')
  const today = formatDay(now)
  const asOf = addDays(today, -6)
  const area = city.projects[0]?.areaCode ?? '420202'
  const more = Array.from({ length: strangers }, (_, i) => {
    const kind = i % 3 === 0 ? '6' : i % 3 === 1 ? '4' : '8'
    return {
      corpCode: creditCode(random, '91', area),
      corpName: `${['远山', '江北', '鼎固', '宏程', '安达', '信诚'][i % 6]}${['第一', '第二', '城建', '机电', '劳务', '建设'][Math.floor(i / 6) % 6]}${i >= 36 ? '（集团）' : ''}有限公司`,
      corpKind: [kind],
      areaCode: area,
      address: `工业园 ${i + 1} 号`,
      legalMan: personName(random, 0.15).name,
      regCapital: 500 + i * 100,
      establishDate: addDays(today, -2000 - i * 37),
      safetyLicenseNo: `鄂JZ安许证字〔2024〕${String(10_000 + i)}`,
      safetyLicenseEnd: addDays(today, i % 15 === 0 ? -40 - i : 120 + i * 9),
    }
  })
  const licensed = city.corporations.findIndex((c, i) => ![3, 5].includes(i) && c.safetyLicenseEnd !== null)
  const own = city.corporations.map((c: Corporation, i) => ({
    corpCode: c.corpCode,
    // Three differ from the files: new name, new legal representative, expired licence.
    corpName: i === 3 ? `${c.corpName}（集团）` : c.corpName,
    corpKind: c.corpKind,
    corpType: c.corpType,
    areaCode: c.areaCode,
    address: c.address,
    legalMan: i === 5 ? personName(random, 0.15).name : c.legalMan,
    regCapital: c.regCapital,
    establishDate: c.establishDate,
    safetyLicenseNo: c.safetyLicenseNo,
    safetyLicenseEnd: i === licensed ? addDays(today, -12) : c.safetyLicenseEnd,
  }))
  const quals = Map.groupBy(city.corpQualifications, (q) => q.corpCode)
  await insertAll(
    tx,
    'enterpriseRegister',
    [...own, ...more].map((c, i) => ({
      ...c,
      qualifications: JSON.stringify(
        (quals.get(c.corpCode) ?? []).map((q) => ({
          name: dictName('corpTrade', q.tradeBoundNum) ?? q.tradeBoundNum,
          level: dictName('corpCertLevel', q.titleLevelNum) ?? '',
          certCode: q.certCode,
          endDate: q.endDate,
        })),
      ),
      records: JSON.stringify(
        i % 9 === 4
          ? [
              {
                date: addDays(today, -420),
                title: '未按规定实行实名制管理',
                org: '市住房和城乡建设局',
                docNo: '建罚〔2025〕7 号',
                endDate: addDays(today, -55),
                good: false,
              },
            ]
          : i % 9 === 1
            ? [{ date: addDays(today, -150), title: '市级文明工地', org: '市建筑业协会', docNo: null, endDate: null, good: true }]
            : [],
      ),
      source: registerSource,
      asOf,
    })),
  )
  await insertAll(tx, 'enterpriseOperator', peopleOf(city, secrets, random, today, more[0]?.corpCode))
}

/** The city's managers and further invented people; one leader is named by a second company. */
function peopleOf(city: City, secrets: Secrets, random: Random, today: string, second: string | undefined) {
  const workers = new Map(city.workers.map((w) => [w.workerId, w]))
  const projects = new Map(city.projects.map((p) => [p.projectCode, p.name]))
  const seen = new Set<string>()
  const managers = city.projectWorkers.filter((w) => w.workRole === '10' && !w.exitTime).slice(0, 120)
  const row = (corpCode: string, name: string, number: string, i: number, more: object) => ({
    id: idOf('register-operator', corpCode, i),
    corpCode,
    name,
    idCardHash: secrets.blindIndex('id-card', number),
    idCardMask: maskIdCard(number),
    kind: i % 3 === 0 ? '注册' : i % 3 === 1 ? '安管' : '技术',
    certName: i % 3 === 0 ? '一级建造师' : i % 3 === 1 ? '安全生产考核合格证（C）' : '工程师',
    certNo: `鄂${i % 3 === 0 ? 'JZ' : 'AQ'}${String(100_000 + i)}`,
    trade: tradeNames[i % 3] ?? null,
    // Registrations and safety certificates are valid for three years.
    validEnd: addDays(today, i % 17 === 1 ? -30 : 60 + ((i * 5) % 1000)),
    state: '有效',
    post: null as string | null,
    projectName: null as string | null,
    ...more,
  })
  const known = managers.flatMap((m, i) => {
    const w = workers.get(m.workerId)
    if (!w || seen.has(`${m.corpCode}|${w.idCardNumber}`)) return []
    seen.add(`${m.corpCode}|${w.idCardNumber}`)
    const post = { post: dictName('managerPost', m.post), projectName: projects.get(m.projectCode) ?? null }
    return [
      row(m.corpCode, w.name, w.idCardNumber, i, post),
      ...(i === 4 && second ? [row(second, w.name, w.idCardNumber, 5_000 + i, { post: '项目经理' })] : []),
    ]
  })
  const invented = city.corporations.slice(0, 8).flatMap((c, n) =>
    Array.from({ length: 46 }, (_, k) => {
      const i = 1_000 + n * 50 + k
      return row(
        c.corpCode,
        personName(random, 0.2).name,
        idCardNumber('420281', addDays('1980-01-01', (i * 13) % 6_000), 101 + 2 * (k % 300)),
        i,
        {},
      )
    }),
  )
  return [...known, ...invented]
}
