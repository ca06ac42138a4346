-- MySQL dump 10.13
INSERT INTO `links` VALUES (1,'polr','https://example.com/','192.0.2.1','ada',0,'',0,1,'2024-01-31 12:00:00','2024-01-31 12:00:00');
