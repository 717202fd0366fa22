import type { InspectionSheet } from '@zhugong/contract/scoring/inspections'
import { itemResults } from '@zhugong/contract/scoring/score'
import { Tag } from '#kit/feedback.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { marks, Sideways } from './score-words.tsx'
import './scoring.css'

const resultWords: Readonly<Record<string, string>> = {
  [itemResults.right]: '合格',
  [itemResults.wrong]: '不合格',
  [itemResults.notApplicable]: '不涉及',
  [itemResults.unchecked]: '未检查',
}

/** One sheet; those without lost points are folded. */
export function SheetTable({ sheet }: { sheet: InspectionSheet }) {
  const lost = sheet.items.filter((item) => item.result === itemResults.wrong)
  return (
    <details className="zg-card scoring-sheet" open={lost.length > 0}>
      <summary>
        <b>
          {sheet.name}
          {sheet.label && `（${sheet.label}）`}
        </b>
        <span className="zg-2">{sheet.assignee}</span>
        <span className="zg-end">
          {sheet.notApplicable ? (
            <Tag>不涉及</Tag>
          ) : sheet.zero ? (
            <Tag tone="danger">记零分</Tag>
          ) : (
            <span className="zg-num">
              {marks(sheet.score)} 分 <span className="zg-2">失分 {lost.length} 项</span>
            </span>
          )}
        </span>
      </summary>
      {sheet.zero && <p className="tone-danger">本表记零分：{sheet.zero}</p>}
      {sheet.notApplicable ? (
        <p className="zg-2">{sheet.notApplicable}</p>
      ) : (
        <Sideways label={`${sheet.name}各项`}>
          <table className="scoring-table">
            <thead>
              <tr>
                <th scope="col">检查项</th>
                <th scope="col" className="num">
                  满分
                </th>
                <th scope="col" className="num">
                  扣分
                </th>
                <th scope="col">结果</th>
                <th scope="col">说明</th>
              </tr>
            </thead>
            <tbody>
              {sheet.items.map((item) => (
                <tr key={item.itemCode}>
                  <td>
                    {item.name} {item.guarantee && <Tag icon={false}>保证项目</Tag>} {item.own && <Tag icon={false}>自有</Tag>}
                  </td>
                  <td className="num">{item.maxScore}</td>
                  <td className={`num ${item.result === itemResults.wrong ? 'tone-danger' : ''}`}>
                    {item.result === itemResults.wrong ? item.deduction : item.result === itemResults.right ? 0 : '--'}
                  </td>
                  <td>{resultWords[item.result]}</td>
                  <td>
                    {item.note ?? item.reason ?? ''}
                    {item.photos.length > 0 && (
                      <span className="scoring-thumbs">
                        {item.photos.map((src) => (
                          <Thumb key={src} src={src} name={item.name} width={48} height={36} />
                        ))}
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Sideways>
      )}
    </details>
  )
}
