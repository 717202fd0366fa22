import { usePageQuery } from '#kit/page.tsx'
import { ScreenSettings } from './screen-settings.tsx'

/** Settings of a company's wall. */
export default function CompanySettingPage() {
  const corpCode = usePageQuery().get('corpCode')
  return <ScreenSettings whose={corpCode ? { corpCode } : {}} />
}
