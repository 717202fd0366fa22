import { type MeterKind, type MeterPrices, meterUnits, type SheetRow } from '@zhugong/contract/monitoring/meter/meter-settle'
import { measure, thousands } from '#kit/format.ts'

interface Sheet {
  kind: MeterKind
  totalUsage: number
  lossPercent: number | null
  amount: number | null
  price: MeterPrices | null
  rows: readonly SheetRow[]
}

const unnamed = '未登记使用单位'
export const priceWords = ({ price, peakPrice, valleyPrice }: MeterPrices, unit: string): string =>
  peakPrice === null || valleyPrice === null ? `${price} 元/${unit}` : `平 ${price}、峰 ${peakPrice}、谷 ${valleyPrice} 元/${unit}`

/** A month's sheet, by unit and meter. */
export function SheetTable({ sheet }: { sheet: Sheet }) {
  const unit = meterUnits[sheet.kind]
  const hasPeaks = sheet.rows.some((one) => one.peakUsage !== null)
  const late = sheet.rows.reduce((sum, one) => sum + one.carried, 0)
  return (
    <>
      <p>
        总用量 <b>{thousands(sheet.totalUsage, 1)}</b> {unit}
        {sheet.lossPercent !== null && `，总表减分表 ${sheet.lossPercent.toFixed(1)} %`}
        {sheet.amount !== null && `，金额 ${thousands(sheet.amount, 2)} 元`}
        {sheet.price && <span className="zg-2">（{priceWords(sheet.price, unit)}）</span>}
        {late > 0 && (
          <span className="zg-2">
            ；含上月月结后到达的 {thousands(late, 1)} {unit}
          </span>
        )}
      </p>
      <div className="fam-scroll">
        <table className="fam-table">
          <thead>
            <tr>
              <th scope="col">使用单位</th>
              <th scope="col" className="word">
                用途
              </th>
              <th scope="col" className="word">
                表计
              </th>
              <th scope="col">起表底</th>
              <th scope="col">止表底</th>
              <th scope="col">倍率</th>
              <th scope="col">用量（{unit}）</th>
              {hasPeaks && (
                <>
                  <th scope="col">其中峰</th>
                  <th scope="col">其中谷</th>
                </>
              )}
              <th scope="col">定额占比</th>
              <th scope="col">估算</th>
              <th scope="col">金额（元）</th>
            </tr>
          </thead>
          <tbody>
            {[...Map.groupBy(sheet.rows, (one) => one.corpName ?? unnamed)].map(([corpName, rows]) =>
              rows.map((one, i) => (
                <tr key={one.deviceId}>
                  {i === 0 && <td rowSpan={rows.length}>{corpName}</td>}
                  <td className="word">{one.area ?? '--'}</td>
                  <td className="word">
                    {one.deviceName}
                    {one.rollbacks > 0 && <span className="zg-2">（换表或翻转 {one.rollbacks} 次）</span>}
                    {(one.manualReads ?? 0) > 0 && <span className="zg-2">（人工抄表 {one.manualReads} 次）</span>}
                  </td>
                  <td>{measure(one.startReading, 2)}</td>
                  <td>{measure(one.endReading, 2)}</td>
                  <td>× {one.ratio}</td>
                  <td>{thousands(one.usage, 1)}</td>
                  {hasPeaks && (
                    <>
                      <td>{thousands(one.peakUsage ?? undefined, 1)}</td>
                      <td>{thousands(one.valleyUsage ?? undefined, 1)}</td>
                    </>
                  )}
                  <td className={(one.quotaPercent ?? 0) > 100 ? 'tone-danger' : ''}>
                    {one.quotaPercent === null ? '--' : `${one.quotaPercent.toFixed(1)} %`}
                  </td>
                  <td>{one.estimatedShare > 0 ? `${one.estimatedShare.toFixed(1)} %` : '--'}</td>
                  <td>{one.amount === null ? '--' : thousands(one.amount, 2)}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </div>
    </>
  )
}
