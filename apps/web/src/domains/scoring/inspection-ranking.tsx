import { inspectionRanking } from '@zhugong/contract/scoring/inspections'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, Empty, Known } from '#kit/feedback.tsx'
import { hrefOf } from '#kit/page.tsx'
import { marks } from './score-words.tsx'

/** Sites by their last inspection; compared are only the categories that all of them were scored in. */
export function InspectionRanking() {
  const read = useCall(inspectionRanking, { query: { projectCode: '*' } }, { quiet: true })
  const data = read.data
  return (
    <Card
      title="项目排名"
      flush
      scrolls
      className="scoring-ranking"
      remark={
        data && data.sites.length > 0
          ? `按各项目最近一次巡检都查过的 ${data.common.length} 类比较：${data.common.join('、') || '没有共同的类别'}`
          : undefined
      }
    >
      <Known of={read} rows={4}>
        {data &&
          (data.sites.length === 0 ? (
            <Empty small text="还没有提交的巡检" />
          ) : (
            <table className="scoring-table">
              <thead>
                <tr>
                  <th scope="col" className="num">
                    名次
                  </th>
                  <th scope="col">项目</th>
                  <th scope="col" className="num">
                    可比得分
                  </th>
                  <th scope="col" className="num">
                    总分
                  </th>
                  <th scope="col">等级</th>
                  <th scope="col" className="num">
                    未闭合问题
                  </th>
                  <th scope="col">最近巡检</th>
                </tr>
              </thead>
              <tbody>
                {data.sites.map((site, i) => (
                  <tr key={site.projectCode}>
                    <td className="num">{i + 1}</td>
                    <td>
                      <Link to={hrefOf('/safetyInspection/details', { id: site.id })}>{site.projectName}</Link>
                    </td>
                    <td className="num">
                      <b>{marks(site.comparable)}</b>
                    </td>
                    <td className="num">{marks(site.score)}</td>
                    <td className={site.gradeName === '不合格' ? 'tone-danger' : ''}>{site.gradeName}</td>
                    <td className={`num ${site.openCount > 0 ? 'tone-warning' : ''}`}>{site.openCount}</td>
                    <td>
                      {site.checkTime.slice(0, 10)} <span className="zg-2">{site.daysSince} 天前</span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          ))}
      </Known>
    </Card>
  )
}
