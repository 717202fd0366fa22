import { type RatioCell, type RatioKey, ratioKeys, ratios } from '@zhugong/contract/labour/tables'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { colors } from '#kit/colors.ts'
import { Filled } from '#kit/filled.tsx'
import { ratio, thousands } from '#kit/format.ts'

const shareOf = ({ part, whole }: RatioCell) => (whole === 0 ? null : part / whole)
/** Smaller changes are shown as no change. */
const stillness = 0.0005

/** A percentage with a bar, its numerator and denominator, and the change since last month. */
export function Share({ cell, least, how, href }: { cell: RatioCell; least: number | null; how?: string; href?: string | undefined }) {
  const share = shareOf(cell)
  if (share === null) return <span className="zg-2">--</span>
  const low = least !== null && share < least
  const change = cell.before === null ? 0 : share - cell.before
  const title = `${thousands(cell.part)} / ${thousands(cell.whole)}${how ? `，${how}` : ''}${cell.before === null ? '' : `，上月 ${ratio(cell.before)}`}`
  const text = <span className={low ? 'tone-danger' : ''}>{ratio(share)}</span>
  return (
    <span className="lab-share" title={title}>
      {href ? <Link to={href}>{text}</Link> : text}
      {Math.abs(change) > stillness && (
        <small className={change > 0 ? 'tone-fine' : 'tone-danger'}>
          {change > 0 ? '↑' : '↓'}
          {Math.abs(change * 100).toFixed(1)}
        </small>
      )}
      <Filled part={share} color={low ? colors.danger : colors.primarySoft} />
    </span>
  )
}

type Row = Record<RatioKey, RatioCell>
/** One column per ratio; `hidden` ones are off by default. */
export function ratioColumns<R extends Row>(
  keys: readonly RatioKey[],
  { hidden = [], linkOf }: { hidden?: readonly RatioKey[]; linkOf?: (key: RatioKey, row: R) => string | undefined } = {},
): { key: RatioKey; width: number; align: 'right'; sort: true; filter: 'numeric-range'; hidden: boolean; value: (row: R) => ReactNode }[] {
  return keys.map((key) => ({
    key,
    width: 116,
    align: 'right',
    sort: true,
    filter: 'numeric-range',
    hidden: hidden.includes(key),
    value: (row) => <Share cell={row[key]} least={ratios[key].least} how={ratios[key].how} href={linkOf?.(key, row)} />,
  }))
}

/** Total row; ratios are calculated from numbers of people, not averaged. */
export const sumCells = (sum: Row, keys: readonly RatioKey[] = ratioKeys): Partial<Record<RatioKey, ReactNode>> =>
  Object.fromEntries(keys.map((key) => [key, <Share key={key} cell={sum[key]} least={ratios[key].least} how={ratios[key].how} />]))

/** Filter of the list of people behind each ratio. */
export const peopleBehind: Partial<Record<RatioKey, string>> = {
  realName: 'realName',
  contract: 'contract',
  training: 'training',
  cert: 'cert',
  payCard: 'payCard',
}
