/*M!999999\- enable the sandbox mode */ 
-- MariaDB dump 10.19  Distrib 10.11.19-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: localhost    Database: yourls
-- ------------------------------------------------------
-- Server version	10.11.19-MariaDB-0+deb12u1

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!40101 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;

--
-- Table structure for table `yourls_log`
--

DROP TABLE IF EXISTS `yourls_log`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `yourls_log` (
  `click_id` int(11) NOT NULL AUTO_INCREMENT,
  `click_time` datetime NOT NULL,
  `shorturl` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `referrer` varchar(200) NOT NULL,
  `user_agent` varchar(255) NOT NULL,
  `ip_address` varchar(41) NOT NULL,
  `country_code` char(2) NOT NULL,
  PRIMARY KEY (`click_id`),
  KEY `shorturl` (`shorturl`)
) ENGINE=InnoDB AUTO_INCREMENT=57 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `yourls_log`
--

LOCK TABLES `yourls_log` WRITE;
/*!40000 ALTER TABLE `yourls_log` DISABLE KEYS */;
INSERT INTO `yourls_log` VALUES
(1,'2015-03-03 12:59:58','umlaut','direct','Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0','192.0.2.1','US'),
(2,'2015-03-05 01:59:58','home','https://www.google.com/search?q=it\'s','Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1','192.0.2.2','JP'),
(3,'2015-03-06 14:59:58','longer','https://m.facebook.com/','Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36','192.0.2.3',''),
(4,'2015-03-08 03:59:58','home','https://example.com/ab\'c','Googlebot/2.1 (+http://www.google.com/bot.html)','192.0.2.4','DE'),
(5,'2015-03-09 16:59:58','home','','curl/8.0','192.0.2.5','US'),
(6,'2015-03-11 05:59:58','home','https://www.google.com/search?q=it\'s','Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0','192.0.2.6','JP'),
(7,'2015-03-12 18:59:58','umlaut','https://m.facebook.com/','Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1','192.0.2.7',''),
(9,'2015-03-15 20:59:58','home','','Googlebot/2.1 (+http://www.google.com/bot.html)','192.0.2.0','US'),
(10,'2015-03-17 09:59:58','home','https://www.google.com/search?q=it\'s','O\'Brien\'s  Browser 1','8.8.8.8',''),
(11,'2015-03-18 22:59:58','home','https://m.facebook.com/','Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0','192.0.2.2',''),
(12,'2015-03-20 11:59:58','home','https://example.com/ab\'c','Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1','192.0.2.3','DE'),
(13,'2015-03-22 00:59:58','longer','','Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36','192.0.2.4','US'),
(14,'2015-03-23 13:59:58','longer','direct','Googlebot/2.1 (+http://www.google.com/bot.html)','192.0.2.5','JP'),
(15,'2015-03-25 02:59:58','home','https://www.google.com/search?q=it\'s','curl/8.0','192.0.2.6',''),
(16,'2015-03-26 15:59:58','home','https://m.facebook.com/','O\'Brien\'s  Browser 1','192.0.2.7','DE'),
(17,'2015-03-28 04:59:58','home','https://example.com/ab\'c','Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0','192.0.2.8','US'),
(18,'2015-03-29 17:59:58','longer','direct','Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36','192.0.2.0','JP'),
(19,'2015-03-31 06:59:58','home','https://www.google.com/search?q=it\'s','Googlebot/2.1 (+http://www.google.com/bot.html)','192.0.2.1',''),
(21,'2015-04-03 08:59:58','home','https://example.com/ab\'c','O\'Brien\'s  Browser 1','192.0.2.3','US'),
(22,'2015-04-04 21:59:58','home','','Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0','192.0.2.4','JP'),
(24,'2015-04-07 23:59:58','home','https://www.google.com/search?q=it\'s','Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36','192.0.2.6','DE'),
(25,'2015-04-09 12:59:58','2024','https://m.facebook.com/','Googlebot/2.1 (+http://www.google.com/bot.html)','192.0.2.7','US'),
(26,'2015-04-11 01:59:58','2024','https://example.com/ab\'c','curl/8.0','192.0.2.8','JP'),
(27,'2015-04-12 14:59:58','longer','','O\'Brien\'s  Browser 1','192.0.2.0',''),
(28,'2015-04-14 03:59:58','home','direct','Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0','192.0.2.1','DE'),
(29,'2015-04-15 16:59:58','home','https://www.google.com/search?q=it\'s','Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1','192.0.2.2','US'),
(30,'2015-04-17 05:59:58','home','https://m.facebook.com/','Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36','192.0.2.3','JP'),
(31,'2015-04-18 18:59:58','home','','curl/8.0','192.0.2.4',''),
(32,'2015-04-20 07:59:58','quote','direct','O\'Brien\'s  Browser 1','192.0.2.5','DE'),
(33,'2015-04-21 20:59:58','longer','https://www.google.com/search?q=it\'s','Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0','192.0.2.6','US'),
(34,'2015-04-23 09:59:58','home','https://m.facebook.com/','Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1','192.0.2.7','JP'),
(35,'2015-04-24 22:59:58','home','','Googlebot/2.1 (+http://www.google.com/bot.html)','192.0.2.8',''),
(36,'2015-04-26 11:59:58','2024','direct','curl/8.0','192.0.2.0','DE'),
(37,'2015-04-28 00:59:58','quote','https://www.google.com/search?q=it\'s','O\'Brien\'s  Browser 1','192.0.2.1','US'),
(38,'2015-04-29 13:59:58','home','https://example.com/ab\'c','Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1','192.0.2.2','JP'),
(39,'2015-05-01 02:59:58','home','','Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36','192.0.2.3',''),
(40,'2015-05-02 15:59:58','2024','direct','Googlebot/2.1 (+http://www.google.com/bot.html)','192.0.2.4','DE'),
(41,'2015-05-04 04:59:58','2024','https://www.google.com/search?q=it\'s','curl/8.0','192.0.2.5','US'),
(42,'2015-05-05 17:59:58','home','https://m.facebook.com/','O\'Brien\'s  Browser 1','192.0.2.6','JP'),
(43,'2015-05-07 06:59:58','umlaut','https://example.com/ab\'c','Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0','192.0.2.7',''),
(44,'2015-05-08 19:59:58','home','','Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1','192.0.2.8','DE'),
(45,'2015-05-10 08:59:58','home','https://www.google.com/search?q=it\'s','Googlebot/2.1 (+http://www.google.com/bot.html)','192.0.2.0','US'),
(46,'2015-05-11 21:59:58','2024','https://m.facebook.com/','curl/8.0','192.0.2.1','JP'),
(47,'2015-05-13 10:59:58','home','https://example.com/ab\'c','O\'Brien\'s  Browser 1','192.0.2.2',''),
(48,'2015-05-14 23:59:58','2024','','Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0','192.0.2.3','DE'),
(49,'2015-05-16 12:59:58','home','direct','Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1','192.0.2.4','US'),
(50,'2015-05-18 01:59:58','insertinto','https://www.google.com/search?q=it\'s','Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36','192.0.2.5','JP'),
(51,'2015-05-19 14:59:58','longer','https://example.com/ab\'c','curl/8.0','192.0.2.6',''),
(52,'2015-05-21 03:59:58','umlaut','','O\'Brien\'s  Browser 1','192.0.2.7','DE'),
(53,'2015-05-01 00:00:53','a/b','direct','Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0','192.0.2.1','DE'),
(54,'2015-05-01 00:00:54','a/b','direct','curl/8.0','192.0.2.1','DE'),
(55,'2015-05-01 00:00:55','gone','direct','curl/8.0','192.0.2.1','DE'),
(56,'0000-00-00 00:00:00','home','','curl/8.0','192.0.2.1','');
/*!40000 ALTER TABLE `yourls_log` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `yourls_options`
--

DROP TABLE IF EXISTS `yourls_options`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `yourls_options` (
  `option_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `option_name` varchar(64) NOT NULL DEFAULT '',
  `option_value` longtext NOT NULL,
  PRIMARY KEY (`option_id`,`option_name`),
  KEY `option_name` (`option_name`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `yourls_options`
--

LOCK TABLES `yourls_options` WRITE;
/*!40000 ALTER TABLE `yourls_options` DISABLE KEYS */;
INSERT INTO `yourls_options` VALUES
(1,'version','1.10.5-dev'),
(2,'db_version','507'),
(3,'next_id','1'),
(4,'active_plugins','a:0:{}');
/*!40000 ALTER TABLE `yourls_options` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `yourls_url`
--

DROP TABLE IF EXISTS `yourls_url`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `yourls_url` (
  `keyword` varchar(100) NOT NULL DEFAULT '',
  `url` text NOT NULL,
  `title` text CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci DEFAULT NULL,
  `timestamp` timestamp NOT NULL DEFAULT current_timestamp(),
  `ip` varchar(41) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL,
  `clicks` int(10) unsigned NOT NULL,
  PRIMARY KEY (`keyword`),
  KEY `ip` (`ip`),
  KEY `timestamp` (`timestamp`),
  KEY `url_idx` (`url`(30))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `yourls_url`
--

LOCK TABLES `yourls_url` WRITE;
/*!40000 ALTER TABLE `yourls_url` DISABLE KEYS */;
INSERT INTO `yourls_url` VALUES
('2024','https://example.net/date','none','2015-02-28 12:34:56','127.0.0.1',10),
('a/b','https://example.com/slash','A slash','2016-01-01 00:00:00','192.0.2.1',2),
('home','https://example.com/','Home','2015-02-28 12:34:56','127.0.0.1',28),
('insertinto','https://example.org/insert','INSERT INTO `yourls_url` VALUES (\'x\',\'y\'),(1);','2015-02-28 12:34:56','127.0.0.1',1),
('longer','https://example.org/long?xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx','A tab and a new line','2015-02-28 12:34:56','127.0.0.1',7),
('ome','https://example.net/','Another case','2015-02-28 12:34:56','127.0.0.1',0),
('ozh','https://ozh.org/','ozh.org','2015-02-28 12:34:56','127.0.0.1',0),
('quote','https://example.com/a?b=1&c=it\'s','It\'s \"quoted\"; a \\ backslash, `ticks`','2015-02-28 12:34:56','127.0.0.1',2),
('umlaut','https://example.com/%C3%BC?q=%27%3B--','Größe 🎉 -- not a comment /* neither */\n	new line; \'quotes\' \\ and \Z end','2015-02-28 12:34:56','127.0.0.1',4),
('unclicked','https://example.net/none','none','2015-02-28 12:34:56','127.0.0.1',0),
('yourls','https://yourls.org/','YOURLS: Your Own URL Shortener','2015-02-28 12:34:56','127.0.0.1',0),
('yourlsblog','https://blog.yourls.org/','YOURLS\' Blog','2015-02-28 12:34:56','127.0.0.1',0);
/*!40000 ALTER TABLE `yourls_url` ENABLE KEYS */;
UNLOCK TABLES;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

-- Dump completed
