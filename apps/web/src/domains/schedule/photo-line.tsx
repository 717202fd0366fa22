import type { ScheduleUnit } from '@zhugong/contract/schedule/unit'
import { Slider } from 'antd'
import { useState } from 'react'
import { Card, Empty } from '#kit/feedback.tsx'
import { Thumb } from '#kit/viewers.tsx'

/** Photographs of the unit week by week; the slider goes from the first to the last. */
export function PhotoLine({ unit }: { unit: ScheduleUnit }) {
  const taken = unit.reports.filter((one) => one.photos.length > 0).reverse()
  const [at, setAt] = useState<number>()
  const last = taken.length - 1
  const chosen = Math.min(at ?? last, last)
  const report = taken[chosen]
  return (
    <Card
      title="形象照片"
      remark={report ? `${report.at.slice(0, 10)} ${report.taskName} ${report.percent}%，第 ${chosen + 1} / ${taken.length} 次` : undefined}
    >
      {!report ? (
        <Empty small text="还没有形象照片" hint="填报进度时上传，每周同一角度" />
      ) : (
        <>
          <div className="zg-row zg-wrap zg-gap-6">
            {report.photos.map((photo, i) => (
              <figure key={photo} className="schedule-photo">
                <Thumb src={photo} name={`${report.taskName} ${report.at.slice(0, 10)}`} width={200} height={150} />
                {report.photoNotes[i] && <figcaption className="tone-warning">{report.photoNotes[i]}</figcaption>}
              </figure>
            ))}
          </div>
          {last > 0 && (
            <Slider
              min={0}
              max={last}
              value={chosen}
              onChange={setAt}
              tooltip={{ formatter: (n) => taken[n ?? 0]?.at.slice(0, 10) }}
              ariaLabelForHandle="选择时间"
            />
          )}
        </>
      )}
    </Card>
  )
}
