import { DownloadOutlined } from '@ant-design/icons'
import { mostZipPapers, submitExport } from '@zhugong/contract/exports/endpoints'
import { Button } from 'antd'
import { Can } from './can.tsx'
import { usePrint } from './use-print.ts'

/** Draws the papers of the selected rows into one archive, in the export centre. */
export function ZipButton({
  feature,
  query,
  count,
  label = '下载文书',
  onDone,
}: {
  feature: string
  query: Record<string, unknown>
  count: number
  label?: string
  onDone: () => void
}) {
  const print = usePrint(feature)
  const tooMany = count > mostZipPapers
  const start = async () => {
    if (await print.run({ body: { feature, exportType: 'zip', query } })) onDone()
  }
  return (
    <Can call={submitExport}>
      <Button
        icon={<DownloadOutlined />}
        loading={print.running}
        disabled={tooMany}
        title={tooMany ? `一次最多 ${mostZipPapers} 份` : undefined}
        onClick={() => void start()}
      >
        {label}（zip）
      </Button>
    </Can>
  )
}
